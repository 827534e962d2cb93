"""Valid inputs, and the same inputs with n combining marks in one place. Normalizing such a text
costs n².
"""

import json

from firestore.values import fields
from hostile import inputs


def marks(size):
    """Returns about `size` bytes of marks out of canonical order."""
    return inputs.MARKS * (size // len(inputs.MARKS.encode()))


def templates(project):
    """Returns a valid event of either generation, and a call, as the functions read them."""
    changed = inputs.document(project, inputs.FIELDS)
    data = {
        "value": changed,
        "oldValue": changed | {"fields": fields({"text": "Before"})},
        "updateMask": {"fieldPaths": ["text"]},
    }
    context = {
        "eventId": "e",
        "eventType": "providers/cloud.firestore/eventTypes/document.update",
        "timestamp": "2026-01-01T10:00:00Z",
        "resource": {"service": "firestore.googleapis.com", "name": changed["name"]},
    }
    caller = {"traceparent": "00-1-2-01", "authtype": "app_user", "authid": "sarah"}
    return [
        inputs.attributes(project, "updated", "e") | caller | {"data": data},
        {"context": context, "data": data},
        {"data": inputs.CALL, "auth": {"uid": "marco", "token": {"sub": "marco"}}},
    ]


def with_marks(value):
    """Yields each place's name, and a function that returns the value with that many bytes of marks
    there: instead of a text, after it, or as the name of an additional member."""

    def written(put):
        return lambda size: json.dumps(
            put(marks(size)), ensure_ascii=False
        ).encode()

    def of(value, place, put):
        if isinstance(value, str):
            yield place, written(put)
            yield f"{place} and more", written(lambda marks: put(value + marks))
        elif isinstance(value, list):
            for number, each in enumerate(value):
                yield from of(
                    each,
                    f"{place}.{number}",
                    lambda new, number=number: put([*value[:number], new, *value[number + 1 :]]),
                )
        elif isinstance(value, dict):
            yield f"name in {place}", written(lambda marks: put(value | {marks: "x", marks + "x": 1}))
            for name, each in value.items():
                yield from of(
                    each, f"{place}.{name}", lambda new, name=name: put(value | {name: new})
                )

    return of(value, "", lambda new: new)
