"""A smoke test of the functions with the real providers, for less than a cent each.

For each provider whose key is in the shell, the functions that use it run once, as separate
processes. Their Firestore is a local emulator, which passes on the requests to that provider and
nothing else.

    translation   GOOGLE_TRANSLATION_API_KEY      a call of translateMessage
    openai        OPENAI_API_KEY (OPENAI_MODEL)   a call of each function that asks a model
    anthropic     ANTHROPIC_API_KEY (…_MODEL)     the same
    fcm           GOOGLE_APPLICATION_CREDENTIALS  an event for sendNotification; FCM checks the push
                                                  and sends none. SMOKE_FCM_TOKEN names a phone

Usage: smoke.py EMULATOR [--dry-run] [--at-base-urls] [--cassettes DIR]

`--at-base-urls` uses the addresses in OPENAI_BASE_URL and the like instead of the real providers,
for the test of this script.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

CHATTY = ("openai", "anthropic")
CENT = 10_000  # in millionths of a dollar

# For each provider: the variable with the key, that of the base URL, and the price of a run by
# current prices, in millionths of a dollar.
PROVIDERS = {
    "translation": ("GOOGLE_TRANSLATION_API_KEY", "TRANSLATION_BASE_URL", 500),
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL", 1_000),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", 8_000),
    "fcm": ("GOOGLE_APPLICATION_CREDENTIALS", "FCM_BASE_URL", 0),
}

DOCUMENTS = {
    "users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
    "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
    "users/marco/devices/phone": {"fcmToken": os.environ.get("SMOKE_FCM_TOKEN", "no-phone")},
    "conversations/smoke": {"type": "one-on-one", "participants": ["sarah", "marco"]},
    "conversations/smoke/messages/m1": {
        "senderId": "sarah",
        "language": "en",
        "text": "Break a leg at your interview tomorrow! Dinner at eight afterwards?",
        "timestamp": "2026-01-05T10:00:00Z",
    },
}
MEMBER = {"uid": "marco"}
CALLS = {
    "translation": {
        "translateMessage": {"text": "Thank you for dinner!", "sourceLang": "en", "targetLang": "it"}
    },
    "models": {
        "analyzeMessage": {"messageId": "m1", "conversationId": "smoke"},
        "smartReplies": {"conversationId": "smoke"},
        "askAI": {"conversationId": "smoke", "query": "Quando ceniamo?"},
    },
}


def dollars(micros):
    return f"${micros / 1e6:.4f}"


# --- outside: with the keys ---


def command(arguments, name, costs):
    """Returns the command that tests one provider."""
    key, base, _ = PROVIDERS[name]
    options = ["--only", "firestore,functions", "--firestore-port", "0", "--functions-port", "0"]
    options += ["--no-triggers", "--no-rules"]
    if arguments.at_base_urls:
        options += ["--provider", f"{name}={os.environ[base]}", "--provider-key", f"{name}={key}"]
    else:
        options += ["--provider", f"{name}=live"]
    if name == "fcm":
        project = json.loads(pathlib.Path(os.environ[key]).read_text())["project_id"]
        options += ["--project", project, "--validate-pushes"]
    else:
        options += ["--project", "demo-smoke"]
    if arguments.cassettes:
        options += ["--cassettes", arguments.cassettes]
    inside = [sys.executable, "-B", __file__, arguments.emulator, "--inside", name, "--costs", costs]
    return [arguments.emulator, "exec", *options, "--", *inside]


def outside(arguments):
    ready = [name for name, (key, _, _) in PROVIDERS.items() if os.environ.get(key)]
    for name in PROVIDERS:
        key, _, cost = PROVIDERS[name]
        model = os.environ.get(f"{name.upper()}_MODEL")
        if name not in ready:
            print(f"{name}: skipped, {key} is not set")
        elif model:
            print(f"{name}: will cost three short answers of {model}")
        else:
            print(f"{name}: will cost about {dollars(cost)}")
    if not ready or arguments.dry_run:
        print("nothing ran")
        return 0
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        costs = pathlib.Path(folder) / "costs"
        costs.touch()
        for name in ready:
            environment = {**os.environ, "LLM_PROVIDER": name if name in CHATTY else "openai"}
            run = subprocess.run(command(arguments, name, str(costs)), env=environment)
            if run.returncode:
                failed.append(name)
        spent = sum(int(line) for line in costs.read_text().split())
    print(f"cost {dollars(spent)} in all" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


# --- inside: `exec` has taken the keys away ---


def value(content):
    if isinstance(content, list):
        return {"arrayValue": {"values": [value(each) for each in content]}}
    return {"timestampValue" if content.endswith("00Z") else "stringValue": content}


def seed():
    root = (
        f"http://{os.environ['FIRESTORE_EMULATOR_HOST']}/v1/projects/"
        f"{os.environ['GOOGLE_CLOUD_PROJECT']}/databases/(default)/documents"
    )
    for path, fields in DOCUMENTS.items():
        body = json.dumps({"fields": {name: value(each) for name, each in fields.items()}})
        headers = {"Authorization": "Bearer owner", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{root}/{path}", body.encode(), headers, method="PATCH")
        urllib.request.urlopen(request).close()


def run(function, event):
    """Runs one process of a function, and returns its cost and whether it succeeded."""
    done = subprocess.run([function], input=event, capture_output=True)
    reply = json.loads(done.stdout)
    usage, result = reply.get("usage", {}), reply.get("result") or {}
    said = reply.get("error", {}).get("message") or reply.get("reason")
    for name in ("translatedText", "explanation", "aiResponse"):
        said = said or result.get(name)
    status = "fallback" if result.get("engine") == "fallback" else reply["status"]
    said = said or " / ".join(each["text"] for each in result.get("suggestions", []))
    cost = usage.get("costMicros", 0)
    unpriced = usage.get("unpricedEngines")
    print(
        f"  {function}: {status} in {reply['durationMs']:,.0f} ms, "
        f"{usage.get('providerCalls', 0)} calls, "
        + (f"no known price for {', '.join(unpriced)}" if unpriced else dollars(cost))
        + (f": {said}" if said else ""),
        flush=True,
    )
    return cost, done.returncode == 0 and status == "ok"


def inside(arguments):
    name = arguments.inside
    if name == "fcm":
        # The reader has the sender's language. Otherwise the fake would translate the text first.
        DOCUMENTS["users/marco"]["primaryLanguage"] = "en"
    seed()
    print(f"{name}:", flush=True)
    if name == "fcm":
        path = "conversations/smoke/messages/m1"
        made = [arguments.emulator, "generate-event", "created", path]
        event = subprocess.run(made, check=True, stdout=subprocess.PIPE).stdout
        runs = [run("sendNotification", event)]
    else:
        calls = CALLS["models" if name in CHATTY else name]
        runs = [
            run(function, json.dumps({"data": data, "auth": MEMBER}).encode())
            for function, data in calls.items()
        ]
    spent = sum(cost for cost, _ in runs)
    with open(arguments.costs, "a") as book:
        book.write(f"{spent}\n")
    if spent > CENT:
        print(f"  {dollars(spent)} is more than a cent")
    return 0 if spent <= CENT and all(is_done for _, is_done in runs) else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("emulator")
    parser.add_argument("--dry-run", action="store_true", help="print what would run and its cost, and run nothing")
    parser.add_argument("--at-base-urls", action="store_true")
    parser.add_argument("--cassettes", help="record the exchanges in a folder")
    parser.add_argument("--inside", choices=PROVIDERS, help=argparse.SUPPRESS)
    parser.add_argument("--costs", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    return inside(arguments) if arguments.inside else outside(arguments)


sys.exit(main())
