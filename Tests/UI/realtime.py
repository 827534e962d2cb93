"""The Realtime Database, as an administrator sees it."""

import json
import time
import urllib.request


def put(emulator, path, value):
    emulator.request("DELETE" if value is None else "PUT", "database", f"/{path}.json", value)


def placed(value, keys, data):
    """Returns the value with other data at a path."""
    if not keys:
        return data
    children = value if isinstance(value, dict) else {}
    return {**children, keys[0]: placed(children.get(keys[0]), keys[1:], data)}


def values(emulator, path):
    """Yields the value of a node, and again after each change: the database sends events."""
    request = urllib.request.Request(
        emulator.url("database", f"/{path}.json"),
        headers={"accept": "text/event-stream", "authorization": "Bearer owner"},
    )
    value = None
    with urllib.request.urlopen(request, timeout=60) as stream:
        for line in stream:
            if line.startswith(b"data: {"):
                change = json.loads(line.removeprefix(b"data: "))
                value = placed(value, [key for key in change["path"].split("/") if key], change["data"])
                yield value


def wait_for(emulator, path, is_expected):
    """Waits until a node's value is as expected, and returns it."""
    return next(value for value in values(emulator, path) if is_expected(value))


def is_online(status):
    return status is not None and status["state"] == "online"


def is_offline(status):
    return status is not None and status["state"] == "offline"


def is_missing(value):
    return value is None


def wait_for_listener(emulator, uid, path, count=1):
    """Waits until a user has so many listeners of a node. No event tells this, so it asks again and again."""
    while True:
        databases = emulator.request("GET", "ui", "/api/databases")["databases"]
        listeners = [each for database in databases for each in database["listeners"]]
        if count == sum(each["count"] for each in listeners if (each["caller"], each["path"]) == (uid, path)):
            return
        time.sleep(0.02)
