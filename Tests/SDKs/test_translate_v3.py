"""Google's own client of Translation v3, over REST, against the emulator's fake."""

import os
from urllib.parse import urlsplit

import google.auth
import pytest
from google.api_core import exceptions
from google.cloud import translate_v3
from google.cloud.translate_v3.services.translation_service.transports import (
    TranslationServiceRestTransport,
)

from test_translate_v2 import Impostor

ADDRESS = urlsplit(os.environ["TRANSLATION_BASE_URL"])
PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]
GLOBAL = f"projects/{PROJECT}/locations/global"
REGION = f"projects/{PROJECT}/locations/us-central1"
SCOPE = "https://www.googleapis.com/auth/cloud-platform"


def connect(credentials):
    transport = TranslationServiceRestTransport(
        host=ADDRESS.netloc + ADDRESS.path, url_scheme=ADDRESS.scheme, credentials=credentials
    )
    return translate_v3.TranslationServiceClient(transport=transport)


@pytest.fixture(scope="module")
def client():
    credentials, _ = google.auth.default(scopes=[SCOPE])
    return connect(credentials)


def translate(client, *texts, parent=GLOBAL, **fields):
    request = {
        "parent": parent,
        "contents": texts,
        "mime_type": "text/plain",
        "source_language_code": "en",
        "target_language_code": "it",
        **fields,
    }
    return client.translate_text(request=request, retry=None, timeout=30)


def test_texts_come_back_in_order(client):
    answer = translate(client, "Thank you!", "It's the docks")
    assert [item.translated_text for item in answer.translations] == [
        "Grazie!",
        "⟦it⟧ It's the docks",
    ]
    assert [item.model.rsplit("/", 1)[1] for item in answer.translations] == [
        "phrasebook",
        "pseudo",
    ]
    assert not answer.glossary_translations


def test_the_language_is_detected_if_none_is_named(client):
    answer = translate(client, "Thank you!", source_language_code="")
    assert answer.translations[0].detected_language_code == "en"


def test_a_location_may_be_left_out(client):
    answer = translate(client, "Thank you!", parent=f"projects/{PROJECT}")
    assert answer.translations[0].translated_text == "Grazie!"


def test_a_glossary_replaces_words(client):
    glossary = {"glossary": f"{REGION}/glossaries/demo", "ignore_case": True}
    answer = translate(client, "The Docks are closed", parent=REGION, glossary_config=glossary)
    assert answer.translations[0].translated_text == "⟦it⟧ The Docks are closed"
    assert answer.glossary_translations[0].translated_text == "⟦it⟧ The moli are closed"


@pytest.mark.parametrize(
    "parent, name, target, error",
    [
        (GLOBAL, "demo", "it", exceptions.BadRequest),
        (REGION, "unknown", "it", exceptions.NotFound),
        (REGION, "demo", "de", exceptions.BadRequest),
    ],
)
def test_a_glossary_has_a_location_and_languages(client, parent, name, target, error):
    glossary = {"glossary": f"{parent}/glossaries/{name}"}
    with pytest.raises(error):
        translate(
            client, "x", parent=parent, glossary_config=glossary, target_language_code=target
        )


def test_a_language_is_detected(client):
    answer = client.detect_language(
        request={"parent": GLOBAL, "content": "Buongiorno a tutti", "mime_type": "text/plain"}
    )
    assert answer.languages[0].language_code == "it"


def test_languages_have_names_in_the_requested_language(client):
    answer = client.get_supported_languages(
        request={"parent": GLOBAL, "display_language_code": "it"}
    )
    names = {item.language_code: item.display_name for item in answer.languages}
    assert names["en"] == "inglese"
    assert all(item.support_source and item.support_target for item in answer.languages)


@pytest.mark.parametrize(
    "fields",
    [
        {"target_language_code": "it-IT"},
        {"target_language_code": "en"},
        {"target_language_code": ""},
        {"mime_type": "text/markdown"},
        {"contents": []},
        {"contents": ["a"] * 1_025},
        {"contents": ["a" * 30_001]},
    ],
)
def test_bad_requests_are_refused(client, fields):
    with pytest.raises(exceptions.BadRequest):
        translate(client, "Hello", **fields)


def test_a_token_of_another_account_is_refused():
    with pytest.raises(exceptions.Unauthorized):
        translate(connect(Impostor()), "Hello")
