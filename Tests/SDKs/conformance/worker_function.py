#!/usr/bin/env python3
"""The function as a worker of ours: lines in, lines out.

CONCURRENCY and TIMEOUT_SECONDS are the values in its manifest.
"""

import json
import os
import signal
import sys

from behaviour import Failure, behave

NAME = "conformance"


def describe():
    return {
        "contract": 1,
        "name": NAME,
        "callable": True,
        "worker": True,
        "triggers": [],
        "concurrency": int(os.environ.get("CONCURRENCY", 1)),
        "timeoutSeconds": int(os.environ.get("TIMEOUT_SECONDS", 30)),
    }


def say(message):
    print(json.dumps({"contract": 1, "function": NAME} | message), flush=True)


def answer(event, invocation):
    if "specversion" in event or "context" in event:
        received = {"event": event}
    else:
        received = {"call": event["data"], "traceparent": invocation.get("traceparent")}
    data = event.get("data")
    known = {"eventId": event.get("id", ""), "invocationId": invocation.get("id", "")}
    try:
        return known | {"status": "ok", "exitCode": 0, "result": behave(received, data)}
    except Failure:
        error = {"code": "INTERNAL", "message": "told to fail", "retryable": False}
        return known | {"status": "error", "exitCode": 70, "error": error}


def main():
    if sys.argv[1:] == ["--describe"]:
        print(json.dumps(describe()))
        return
    # The worker ends at the end of its stdin.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    say({"ready": True})
    for line in sys.stdin:
        read = json.loads(line)
        say(answer(read["event"], read["invocation"]))


if __name__ == "__main__":
    main()
