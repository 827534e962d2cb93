"""The events of acknowledged writes, which must be delivered whenever the emulator is killed with
kill -9.

`make soak` kills five hundred times. This test kills some ten times.
"""

import os
import random

from firestore.emulator import Emulator
from test_crashes import killed

KILLS = int(os.environ.get("EVENT_KILLS", "10"))
WRITERS = 3
# The longest life of an emulator, counted from the first acknowledged write.
LONGEST_LIFE_SECONDS = 0.3

# A function that records the document of each event, and sometimes asks for a retry instead. The
# file is written without a buffer, so its content also survives a kill of the worker.
WITNESS = """#!/usr/bin/env python3
import json, os, random, sys
if sys.argv[1:] == ["--describe"]:
    trigger = {"eventType": "google.cloud.firestore.document.v1.created", "document": "left/{id}"}
    print(json.dumps({"contract": 1, "name": "witness", "worker": True, "triggers": [trigger]}))
    sys.exit()
print(json.dumps({"contract": 1, "function": "witness", "ready": True}), flush=True)
book = os.open(os.path.join(os.path.dirname(__file__), "book"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
for line in sys.stdin:
    event = json.loads(line)["event"]
    if random.random() < 0.1:
        error = {"code": "UNAVAILABLE", "message": "not now"}
        print(json.dumps({"status": "error", "exitCode": 75, "error": error}), flush=True)
        continue
    os.write(book, (event["document"].rsplit("/", 1)[1] + "\\n").encode())
    print(json.dumps({"status": "ok", "exitCode": 0}), flush=True)
"""


def test_no_event_is_lost(tmp_path):
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "witness").write_text(WITNESS)
    (functions / "witness").chmod(0o755)
    # Retries without delay or limit: a dead letter wouldn't be lost, but wouldn't be delivered
    # either.
    options = ["--retry", "production", "--time-scale", "1000"]
    dice = random.Random(1)
    answered, delivered = set(), []
    for number in range(KILLS):
        emulator = Emulator(tmp_path / "data", functions, options)
        for writer in killed(emulator, number, WRITERS, dice.random() * LONGEST_LIFE_SECONDS):
            answered |= set(writer.answered)

        emulator = Emulator(tmp_path / "data", functions, options)
        assert emulator.ask("/api/quiet?timeoutSeconds=60") == {"quiet": True}
        delivered = (functions / "book").read_text().split()
        assert answered <= set(delivered), f"lost {sorted(answered - set(delivered))[:9]}, kill {number}"
        assert emulator.ask("/api/events?state=waiting") == []
        # The next emulator starts after a kill or after an orderly end.
        emulator.kill() if dice.random() < 0.5 else emulator.end()
    assert len(answered) > KILLS * WRITERS
    print(f"{len(answered)} answered writes, {len(delivered)} deliveries, {KILLS} kills")
