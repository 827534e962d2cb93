"""Fixtures and checks of several tests. Clients are configured by the environment alone."""

import json
import os

import pytest
from firestore import peer, signed_in
from firestore.emulator import Emulator

ENGINE = "emulator-rules"

# Before any test makes a channel.
signed_in.sign_in()

PROMPTS = {
    "message_analysis": {
        "message": {
            "from": "P1",
            "language": "en",
            "text": "Break a leg at your interview tomorrow!",
        },
        "messages": [
            {
                "from": "P2",
                "id": "m1",
                "language": "it",
                "sentAt": "2025-10-21T10:00:00Z",
                "text": "Domani ho il colloquio.",
            }
        ],
        "readerLanguage": "it",
    },
    "reply_suggestions": {
        "messages": [
            {"from": "P2", "id": "m1", "language": "en", "text": "Shall we have dinner at eight?"}
        ],
        "replier": "P1",
        "replyLanguage": "it",
        "style": {"averageCharacters": 24, "usesEmoji": True},
        "translationLanguage": "en",
    },
    "conversation_answer": {
        "answerLanguage": "it",
        "asker": "P1",
        "messages": [
            {"from": "P2", "id": "m1", "language": "en", "text": "Hello!"},
            {"from": "P2", "id": "m2", "language": "en", "text": "Dinner at eight tonight?"},
        ],
        "question": "What did [P2] say about dinner?",
    },
}


def an_object(**properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}

SCHEMAS = {
    "message_analysis": an_object(
        hasCulturalContext={"type": "boolean"},
        type={
            "type": "string",
            "enum": ["idiom", "culturalReference", "formality", "slang", "none"],
        },
        idiomDetected=TEXT_OR_NULL,
        explanation=TEXT,
        relevance={"type": "string", "enum": ["high", "medium", "low"]},
        suggestedEquivalent=TEXT_OR_NULL,
    ),
    "reply_suggestions": an_object(
        suggestions={
            "type": "array",
            "minItems": 3,
            "maxItems": 3,
            "items": an_object(text=TEXT, translation=TEXT),
        }
    ),
    "conversation_answer": an_object(
        answer=TEXT,
        found={"type": "boolean"},
        sources={"type": "array", "items": TEXT},
    ),
}


def prompt(name):
    """Returns the user's message as the functions send it: one line of JSON."""
    return json.dumps(PROMPTS[name], ensure_ascii=False, separators=(",", ":"))


def refused_prompt(name):
    """Returns the message in a language that the rules don't know: they refuse, as a model may."""
    languages = {"readerLanguage", "replyLanguage", "answerLanguage"} & set(PROMPTS[name])
    changed = PROMPTS[name] | {language: "ja" for language in languages}
    return json.dumps(changed, ensure_ascii=False, separators=(",", ":"))


def check(name, output):
    """Checks the requirements for every answer to a prompt, also to one for which there is no rule.
    """
    assert set(output) == set(SCHEMAS[name]["properties"])
    if name == "message_analysis":
        properties = SCHEMAS[name]["properties"]
        assert output["type"] in properties["type"]["enum"]
        assert output["relevance"] in properties["relevance"]["enum"]
        assert isinstance(output["hasCulturalContext"], bool)
    elif name == "reply_suggestions":
        texts = [suggestion["text"] for suggestion in output["suggestions"]]
        assert len(texts) == len(set(texts)) == 3
        assert all(1 <= len(text) <= 120 for text in texts)
        assert all(suggestion["translation"] for suggestion in output["suggestions"])
    else:
        assert output["answer"]
        ids = [message["id"] for message in PROMPTS[name]["messages"]]
        assert set(output["sources"]) <= set(ids)
        assert output["found"] == bool(output["sources"])


@pytest.fixture(params=sorted(PROMPTS))
def name(request):
    """The name of a schema. Each test runs once for each schema."""
    return request.param


@pytest.fixture(scope="module")
def sides(request):
    """Two objects of the test module's class `Side`: one for Google's emulator, and one for ours.
    """
    with peer.running() as google:
        addresses = google, os.environ["FIRESTORE_EMULATOR_HOST"]
        both = tuple(map(request.module.Side, addresses))
        yield both
        for side in both:
            side.server.close()


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Ends the emulators that a failed test has left running."""
    yield
    while Emulator.all:
        emulator = Emulator.all.pop()
        if emulator.process.poll() is None:
            emulator.kill()
