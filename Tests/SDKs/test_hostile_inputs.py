"""Random hostile events, calls, requests and documents: each is answered, at a cost linear in its
size.

`make soak` sends twenty thousand. This test sends a tenth of them.
"""

import os
import random
import urllib.parse

import pytest
from chat.stage import FUNCTIONS
from hostile import inputs
from hostile.stage import PROJECT, Meter, running, scene, served

INPUTS = int(os.environ.get("HOSTILE_INPUTS", "2000"))
STATUSES = {200, 204, 400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 501, 503, 504}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions(function):
    dice = random.Random(f"1-{function}")
    scene(dice)
    with running(function) as worker:
        meter = Meter(worker.process)
        for number in range(INPUTS // len(FUNCTIONS)):
            if number % 50 == 49:
                scene(dice)
            made = inputs.event(dice, PROJECT) if dice.random() < 0.6 else inputs.call(dice)
            data = inputs.bytes_of(dice, made)
            meter.spent()
            worker.ask(data)
            meter.check(data)


def request(dice):
    """Returns a path, headers and a body for `serve`: an event in either mode, or a call."""
    if dice.random() < 0.5:
        return "/", {"Content-Type": "application/json"}, inputs.bytes_of(dice, inputs.call(dice))
    event = inputs.event(dice, PROJECT)
    if dice.random() < 0.5:
        kind = "application/cloudevents+json"
        return "/", {"Content-Type": kind}, inputs.bytes_of(dice, event)
    data = event.pop("data", {})
    headers = {
        f"ce-{name}": urllib.parse.quote(str(value)[:3_000], safe=" :/()")
        for name, value in event.items()
        if name.isalnum() and name.isascii() and name.islower() and value
    }
    return "/", headers | {"Content-Type": "application/json"}, inputs.bytes_of(dice, data)


@pytest.mark.parametrize("signature", [None, "http"])
def test_serve(signature):
    dice = random.Random(f"2-{signature}")
    scene(dice)
    with served(signature) as server:
        meter = Meter(server.process)
        for _ in range(INPUTS // 10):
            path, headers, body = request(dice)
            answer = server.ask("POST", path, body, headers)
            assert answer.status in STATUSES, (answer.status, headers, body[:300])
            meter.check(body)
