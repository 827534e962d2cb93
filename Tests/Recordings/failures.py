"""Makes fixtures with a failing provider, or with an invalid event, from recorded ones.

`emulator replay --update Tests/Recordings` then writes the outcomes.
"""

import copy
import json
from pathlib import Path

FOLDER = Path(__file__).parent
TRANSLATION = "/language/translate/v2"
PUSH = "messages:send"
MODEL = "/v1/chat/completions"
ACCOUNT = "accounts:delete"
DATABASE = "/.json"


def google(code, status, message, **details):
    error = {"code": code, "status": status, "message": message, **details}
    return {"status": code, "body": {"error": error}}


def openai(code, kind, message):
    return {"status": code, "body": {"error": {"type": kind, "code": kind, "message": message}}}


def later(response):
    """Returns the response with a longer wait than any function waits, so that it isn't requested
    again."""
    return {**response, "headers": {"content-type": "application/json", "retry-after": "60"}}


QUOTA = later(google(429, "RESOURCE_EXHAUSTED", "Quota exceeded"))
REFUSED = google(
    400, "INVALID_ARGUMENT", "API key not valid.", details=[{"reason": "API_KEY_INVALID"}]
)
UNREGISTERED = google(
    404,
    "NOT_FOUND",
    "Requested entity was not found.",
    details=[
        {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "UNREGISTERED",
        }
    ],
)
DECLINED = {
    "status": 200,
    "body": {
        "choices": [
            {
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": None, "refusal": "No."},
            }
        ],
        "model": "emulator-rules",
        "usage": {"prompt_tokens": 300, "completion_tokens": 2},
    },
}
NO_ROLE = google(403, "PERMISSION_DENIED", "No.")
NO_ACCOUNTS = google(400, "INVALID_ARGUMENT", "CONFIGURATION_NOT_FOUND")
NO_KEY = openai(401, "invalid_api_key", "Incorrect API key provided.")
BUSY = later(openai(429, "rate_limit_exceeded", "Rate limit reached."))
DOWN = {"status": 503, "text": "Service Unavailable"}

# Function, prefix of the original's name, path whose answers are replaced, the new name, and the new
# answers: one for each attempt (None is the recorded one), the same for every request.
FAILURES = [
    ("translateMessage", "call-ok", TRANSLATION, "call-over-quota", [QUOTA]),
    ("translateMessage", "call-ok", TRANSLATION, "call-provider-down", [DOWN, DOWN]),
    ("translateMessage", "call-ok", TRANSLATION, "call-nonsense", [{"status": 200, "text": "<html>"}]),
    ("translateMessage", "call-ok", TRANSLATION, "call-key-refused", [REFUSED]),
    ("translateMessage", "call-ok", TRANSLATION, "call-down-then-up", [DOWN, None]),
    ("translateMessage", "event-ok", TRANSLATION, "event-over-quota", [QUOTA]),
    ("translateMessage", "event-ok", TRANSLATION, "event-key-refused", [REFUSED]),
    ("sendNotification", "event-ok", PUSH, "event-over-quota", [QUOTA]),
    ("sendNotification", "event-ok", PUSH, "event-unregistered", [UNREGISTERED]),
    ("sendNotification", "event-ok", PUSH, "event-credentials-refused", [NO_ROLE]),
    ("analyzeMessage", "event-ok", MODEL, "event-busy", [BUSY]),
    ("analyzeMessage", "event-ok", MODEL, "event-key-refused", [NO_KEY]),
    ("analyzeMessage", "event-ok", MODEL, "event-declined", [DECLINED]),
    ("smartReplies", "call-ok", MODEL, "call-busy", [BUSY]),
    ("smartReplies", "call-ok", MODEL, "call-key-refused", [NO_KEY]),
    ("smartReplies", "call-ok", MODEL, "call-declined", [DECLINED]),
    ("askAI", "call-ok", MODEL, "call-busy", [BUSY]),
    ("askAI", "call-ok", MODEL, "call-key-refused", [NO_KEY]),
    ("askAI", "call-ok", MODEL, "call-declined", [DECLINED]),
    ("forgetUser", "call-ok", ACCOUNT, "call-busy", [QUOTA]),
    ("forgetUser", "call-ok", ACCOUNT, "call-down-then-up", [DOWN, None]),
    ("forgetUser", "call-ok", ACCOUNT, "call-credentials-refused", [NO_ROLE]),
    ("forgetUser", "call-ok", ACCOUNT, "call-without-accounts", [NO_ACCOUNTS]),
    ("forgetUser", "call-ok", DATABASE, "call-database-down-then-up", [DOWN, None]),
    ("mirrorMembership", "event-ok", DATABASE, "event-busy", [BUSY]),
    ("mirrorMembership", "event-ok", DATABASE, "event-down-then-up", [DOWN, None]),
    ("mirrorMembership", "event-ok", DATABASE, "event-credentials-refused", [NO_ROLE]),
]

BAD_EVENTS = [
    ("translateMessage", "event-bad-version", lambda event: event.update(specversion="0.3")),
    ("sendNotification", "event-without-data", lambda event: event.pop("data")),
    ("analyzeMessage", "event-without-id", lambda event: event.pop("id")),
    ("mirrorPresence", "event-without-time", lambda event: event.pop("time")),
    ("mirrorMembership", "event-without-data", lambda event: event.pop("data")),
]


def original(function, prefix, path):
    for file in sorted((FOLDER / function).glob(f"{prefix}-*.json")):
        fixture = json.loads(file.read_text())
        asked = [exchange["request"]["path"] for exchange in fixture["exchanges"]]
        # If another function did the same work, the failure would have occurred at another moment.
        shared = [name for name, there in fixture["documents"].items() if there]
        shared += fixture["meanwhile"]
        is_shared = any(name.startswith("leases/") for name in shared) or any(
            name.startswith("translations/") for name in fixture["meanwhile"]
        )
        # A new message's event, or any change that triggers the function; a call has no type.
        is_new = fixture["event"].get("type", "created").endswith(("created", "written"))
        if not is_shared and is_new and any(path in each for each in asked):
            fixture["meanwhile"] = {}
            return fixture
    raise SystemExit(f"no {prefix} of {function} asks {path}")


def write(function, name, fixture):
    text = json.dumps(fixture, ensure_ascii=False, indent=2, sort_keys=True)
    (FOLDER / function / f"{name}.json").write_text(text + "\n")


for function, prefix, path, name, answers in FAILURES:
    fixture = original(function, prefix, path)
    exchanges = []
    for exchange in fixture["exchanges"]:
        if path not in exchange["request"]["path"]:
            exchanges.append(exchange)
            continue
        for answer in answers:
            changed = copy.deepcopy(exchange)
            changed["response"] = answer or exchange["response"]
            exchanges.append(changed)
    fixture["exchanges"] = exchanges
    write(function, name, fixture)

for function, name, spoil in BAD_EVENTS:
    file = sorted((FOLDER / function).glob("event-ok-*.json"))[0]
    fixture = json.loads(file.read_text())
    spoil(fixture["event"])
    fixture["exchanges"] = []
    fixture["queries"] = []
    fixture["documents"] = {}
    fixture["meanwhile"] = {}
    write(function, name, fixture)
