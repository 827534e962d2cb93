"""The Realtime Database, as an administrator sees it, and the connections of phones to it."""

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
    """Waits until a user has so many listeners of a node. No event reports this, so it polls."""
    while True:
        databases = emulator.request("GET", "ui", "/api/databases")["databases"]
        listeners = [each for database in databases for each in database["listeners"]]
        if count == sum(each["count"] for each in listeners if (each["caller"], each["path"]) == (uid, path)):
            return
        time.sleep(0.02)


def sent_token(frame):
    """Returns whether a frame of a phone's connection carries a token."""
    return '"a":"auth"' in frame


def hold_messages(page, condition="false"):
    """Holds back the server's messages to the page's connections for which a condition on `text` is true."""
    page.evaluate(f"() => void (window.isHeld = (text) => {condition})")


def release_messages(page):
    """Passes the messages that were held back to the page, and holds back no more."""
    hold_messages(page)
    page.evaluate("() => { for (const pass of window.held.splice(0)) pass(); }")


def wait_for_held(page, part, count=1):
    """Waits until so many messages that contain a text are held back."""
    while page.evaluate("(part) => window.held.filter(({ text }) => text.includes(part)).length", part) < count:
        page.wait_for_timeout(20)


def make_messages_holdable(page):
    """Makes the page's WebSockets ask `isHeld` for each message. Must be called before the page is opened."""
    page.add_init_script("""
        window.held = [];
        window.isHeld = () => false;
        const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
        Object.defineProperty(WebSocket.prototype, "onmessage", {
            set(receive) {
                set.call(this, receive && ((event) => {
                    const text = event.data;
                    if (window.isHeld(text)) window.held.push(Object.assign(() => receive(event), { text }));
                    else receive(event);
                }));
            },
        });
    """)
