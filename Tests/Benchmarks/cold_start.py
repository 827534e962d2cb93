"""The cost of starting a function as a process, compared with `python3 -I -S -c pass`.

Runs under `emulator exec` (make bench). Each call is answered from the cache, so that the cost is
the process's own: start, reads and a write over loopback, one line of output. The programs take
turns, and only the ratio of their medians counts: times on a shared machine don't.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request

ROUNDS = 200
CALLS = {
    "translateMessage": {"text": "See you tomorrow!", "sourceLang": "en", "targetLang": "it"},
    "smartReplies": {"data": {"conversationId": "c"}, "auth": {"uid": "marco"}},
}
# The documents that smartReplies reads: a conversation, two people, a message.
DOCUMENTS = {
    "users/sarah": {"primaryLanguage": {"stringValue": "en"}},
    "users/marco": {"primaryLanguage": {"stringValue": "it"}},
    "conversations/c": {
        "participants": {
            "arrayValue": {"values": [{"stringValue": "sarah"}, {"stringValue": "marco"}]}
        }
    },
    "conversations/c/messages/m": {
        "senderId": {"stringValue": "sarah"},
        "text": {"stringValue": "How are you?"},
        "timestamp": {"timestampValue": "2026-01-01T10:00:00Z"},
    },
    # A benchmark calls more often than any user.
    "config/functions": {
        "askAI": {"mapValue": {"fields": {"perUserPerMinute": {"integerValue": "1000000"},
                                          "perUserPerDay": {"integerValue": "1000000"}}}},
    },
}


def write_documents():
    root = f"projects/{os.environ['GOOGLE_CLOUD_PROJECT']}/databases/(default)/documents"
    writes = [
        {"update": {"name": f"{root}/{path}", "fields": fields}}
        for path, fields in DOCUMENTS.items()
    ]
    request = urllib.request.Request(
        f"http://{os.environ['FIRESTORE_EMULATOR_HOST']}/v1/{root}:commit",
        data=json.dumps({"writes": writes}).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer owner"},
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30):
        pass


def measure(command, stdin=b""):
    start = time.perf_counter()
    process = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, check=True)
    return (time.perf_counter() - start) * 1000, process.stdout


def main():
    write_documents()
    python = [sys.executable, "-I", "-S", "-c", "pass"]
    calls = {name: json.dumps(call).encode() for name, call in CALLS.items()}
    times = {name: [] for name in [*calls, "python3"]}
    for name, call in calls.items():
        measure([shutil.which(name)], call)
    for _ in range(ROUNDS):
        for name, call in calls.items():
            elapsed, line = measure([shutil.which(name)], call)
            if b'"cacheHits":1' not in line:
                sys.exit(f"not answered from the cache: {line}")
            times[name].append(elapsed)
        times["python3"].append(measure(python)[0])
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(f"python3 -I -S -c pass        median {medians['python3']:6.2f} ms")
    for name in calls:
        ratio = medians[name] / medians["python3"]
        print(f"{name + ', cache hit':28} median {medians[name]:6.2f} ms   ratio {ratio:5.2f}")


if __name__ == "__main__":
    main()
