"""Requests to a server: calls, and events in every mode."""

import json
import urllib.parse

JSON = {"Content-Type": "application/json"}
STRUCTURED = {"Content-Type": "application/cloudevents+json"}


def encoded(body):
    return json.dumps(body, ensure_ascii=False).encode()


def call(server, body, target="/", **more):
    return server.ask("POST", target, encoded(body), JSON, **more)


def binary(event, content_type="application/json"):
    """Returns the headers of an event, percent-encoded where necessary."""
    attributes = {
        f"ce-{name}": urllib.parse.quote(text, safe="!#$&'()*+,/:;=?@[]-._~")
        for name, text in event.items()
        if name not in ("data", "data_base64", "datacontenttype")
    }
    return attributes | ({"Content-Type": content_type} if content_type else {})


def plain(id, data, **more):
    """Returns an event of a type that no framework knows."""
    event = {"specversion": "1.0", "id": id, "source": "//test", "type": "test.happened"}
    return event | {"datacontenttype": "application/json", "data": data} | more


def is_success(answer):
    return 200 <= answer.status < 300
