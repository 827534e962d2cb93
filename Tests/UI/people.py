"""Requests of an app's users to Firestore, which security rules decide on."""

import base64
import json
import time
import urllib.error
import urllib.request

from objects import put_files

PROJECT = "demo-worldchat"


def token(uid, project=PROJECT, **claims):
    """Returns an unsigned ID token, with further claims."""
    now = int(time.time())
    claims |= {
        "iss": f"https://securetoken.google.com/{project}", "aud": project, "sub": uid, "user_id": uid,
        "iat": now, "auth_time": now, "exp": now + 3_600,
    }
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in ({"alg": "none"}, claims)]
    return ".".join([*parts, ""])


def send(emulator, uid, method, path, body=None, project=PROJECT, **claims):
    """Sends a request as a user, or as nobody if uid is None. The path follows `documents`. Returns the status."""
    headers = {"content-type": "application/json"}
    if uid:
        headers["authorization"] = f"Bearer {token(uid, project, **claims)}"
    url = emulator.url("firestore", emulator.documents.replace(PROJECT, project) + path)
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def put_presence(emulator):
    """Puts presence and typing into the Realtime Database, beside what phones and functions have written."""
    emulator.request("PATCH", "database", "/.json", {
        "status/sarah": {"state": "online", "last_changed": 1_700_000_000_000, "open": "sarah-marco"},
        "status/marco": {"state": "offline", "last_changed": 1_700_000_060_000},
        "typingIndicators/sarah-marco/sarah": 1_700_000_090_000,
    })


def send_examples(emulator):
    """Sends allowed and denied requests of several users, and puts presence into the Realtime Database and files into
    Cloud Storage.
    """
    put_presence(emulator)
    put_files(emulator)
    members = {"field": {"fieldPath": "participants"}, "op": "ARRAY_CONTAINS", "value": {"stringValue": "sarah"}}
    conversations = {"from": [{"collectionId": "conversations"}]}
    forged = {"update": {
        "name": f"{emulator.documents.removeprefix('/v1/')}/conversations/sarah-marco/messages/forged",
        "fields": {"senderId": {"stringValue": "sarah"}, "text": {"stringValue": "Lend me money!"}},
    }}
    for expected, *request in [
        (200, "sarah", "GET", "/conversations/sarah-marco"),
        (403, "jonas", "GET", "/conversations/sarah-marco"),
        (403, None, "GET", "/conversations/sarah-marco"),
        (200, "sarah", "POST", ":runQuery", {"structuredQuery": conversations | {"where": {"fieldFilter": members}}}),
        (403, "sarah", "POST", ":runQuery", {"structuredQuery": conversations}),
        (403, "marco", "POST", ":commit", {"writes": [forged]}),
    ]:
        assert send(emulator, *request) == expected, request
