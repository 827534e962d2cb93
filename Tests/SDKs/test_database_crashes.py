"""A Realtime Database in a data folder through kill -9: each answered write is there, and none is half there.

`make soak` kills two hundred times. This test kills twenty times.
"""

import http.client
import os
import random
import threading
import urllib.error

import websocket
from firestore.emulator import start
from realtime.service import Rest, Socket

KILLS = int(os.environ.get("DATABASE_KILLS", "20"))
CLIENTS = 4
# The longest life of an emulator, counted from the first answered write.
LONGEST_LIFE_SECONDS = 0.25
NAME = "crashes"
# What a client of a killed emulator raises.
BROKEN = (urllib.error.URLError, http.client.HTTPException, ConnectionError, websocket.WebSocketException)


class Client:
    """Writes rounds of data below a key of its own: a value at two places at once, some values replaced or removed."""

    def __init__(self, host, key, first):
        self.host, self.key = host, key
        # The numbers of the last answered round and of the last begun one.
        self.answered, self.begun = first - 1, first - 1
        self.began = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            rest = Rest(NAME, self.host)
            with Socket(NAME, self.host) as socket:
                while True:
                    number = self.begun = self.answered + 1
                    members = {
                        "left/number": number, "right/number": number,
                        f"rounds/{number % 10}": {"n": number, "list": [number] * 3}, f"rounds/{(number + 5) % 10}": None,
                    }
                    if number % 3:
                        socket.must("m", p=f"/{self.key}", d=members)
                    else:
                        assert rest.ask("PATCH", self.key, members).status == 200
                    self.answered = number
                    self.began.set()
        except BROKEN:
            pass
        finally:
            # Nobody may wait for a client that never got an answer.
            self.began.set()


def expected(number):
    """The data after a round."""
    rounds = {}
    for each in range(number + 1):
        rounds[str(each % 10)] = {"n": each, "list": {"0": each, "1": each, "2": each}}
        rounds.pop(str((each + 5) % 10), None)
    return {"left": {"number": number}, "right": {"number": number}, "rounds": rounds}


def test_answered_writes_survive(tmp_path):
    chance = random.Random(os.environ.get("DATABASE_SEED"))
    last = {f"client-{number}": -1 for number in range(CLIENTS)}
    for kill in range(KILLS + 1):
        ports = ["--database-port=0", "--firestore-port=0"]
        process, services = start("--only", "database,firestore", *ports, "--no-rules", "--data", str(tmp_path / "data"))
        try:
            host = f"127.0.0.1:{services['database']}"
            found = Rest(NAME, host).get("", format="export") or {}
            for key, (answered, begun) in ({} if kill == 0 else ends).items():
                state = found.get(key)
                rounds = [number for number in range(answered, begun + 1) if state == (expected(number) if number >= 0 else None)]
                assert rounds, (kill, key, answered, begun, state)
                last[key] = rounds[0]
            if kill == KILLS:
                return
            clients = [Client(host, key, number + 1) for key, number in last.items()]
            for client in clients:
                client.began.wait()
            threading.Event().wait(chance.uniform(0, LONGEST_LIFE_SECONDS))
        finally:
            process.kill()
            process.communicate()
        for client in clients:
            client.thread.join()
        ends = {client.key: (client.answered, client.begun) for client in clients}


def test_a_restart_keeps_every_kind_of_data(tmp_path):
    data = {
        "text": "é\U0001f600", "number": 1.5, "large": 2**53, "no": False, "priority": {".value": "x", ".priority": 7},
        "object": {".priority": "p", "a": {"b": {"c": 1}}}, "odd key ~!@%": {"1": 1, "01": 2}, "empty": {"x": None},
    }
    options = ["--only", "database", "--database-port=0", "--no-rules", "--data", str(tmp_path / "data")]

    def run(work):
        process, services = start(*options)
        try:
            return work(Rest(NAME, f"127.0.0.1:{services['database']}"))
        finally:
            process.kill()
            process.communicate()

    run(lambda rest: rest.put("", data))
    del data["empty"]
    assert run(lambda rest: (rest.get("", format="export"), rest.put("object", 5))[0]) == data
    data["object"] = 5
    assert run(lambda rest: (rest.get("", format="export"), rest.put("object/below", True))[0]) == data
    data["object"] = {"below": True}
    assert run(lambda rest: rest.get("", format="export")) == data
    assert run(lambda rest: rest.ask("GET", ".inspect/databases.json").body) == [{"name": NAME}]


def test_a_stop_ends_the_connections_first(tmp_path):
    options = ["--only", "database", "--database-port=0", "--no-rules", "--data", str(tmp_path / "data")]
    process, services = start(*options)
    with Socket(NAME, f"127.0.0.1:{services['database']}") as client:
        client.must("p", p="/status/alice", d={"state": "online"})
        client.must("o", p="/status/alice", d={"state": "offline", "last": {".sv": "timestamp"}})
        process.terminate()
        process.communicate()
    process, services = start(*options)
    try:
        status = Rest(NAME, f"127.0.0.1:{services['database']}").get("status/alice")
        assert status["state"] == "offline" and status["last"] > 1_700_000_000_000
    finally:
        process.kill()
        process.communicate()
