"""Invalid events, as body and headers. Each is answered with 400 and never reaches the function."""

from conformance.events import EVENTS
from conformance.requests import JSON, STRUCTURED, binary, encoded, plain

ATTRIBUTES = plain("1", {"n": 1})


def without(name):
    return {each: value for each, value in ATTRIBUTES.items() if each != name}


MALFORMED = {
    **{f"binary-no-{name}": (b"{}", binary(without(name))) for name in ("id", "source", "type")},
    **{
        f"structured-no-{name}": (encoded(without(name)), STRUCTURED)
        for name in ("specversion", "id", "source", "type")
    },
    "binary-version": (b"{}", binary(ATTRIBUTES | {"specversion": "9.9"})),
    "structured-version": (encoded(ATTRIBUTES | {"specversion": "9.9"}), STRUCTURED),
    "binary-empty-id": (b"{}", binary(ATTRIBUTES | {"id": ""})),
    "structured-empty-id": (encoded(ATTRIBUTES | {"id": ""}), STRUCTURED),
    "binary-data": (b'{"n":', binary(ATTRIBUTES)),
    "binary-data-utf-8": (b'{"n":"\xc3("}', binary(ATTRIBUTES)),
    "structured-cut-off": (encoded(ATTRIBUTES)[:-1], STRUCTURED),
    "structured-array": (b"[1]", STRUCTURED),
    "structured-utf-8": (encoded(ATTRIBUTES).replace(b"test", b"t\xc3("), STRUCTURED),
    "structured-number": (encoded(ATTRIBUTES | {"id": 7}), STRUCTURED),
    "structured-two-data": (encoded(ATTRIBUTES | {"data_base64": "AAAA"}), STRUCTURED),
    "structured-base64": (encoded(without("data") | {"data_base64": "?"}), STRUCTURED),
    "time": (encoded(ATTRIBUTES | {"time": "yesterday"}), STRUCTURED),
    "first-generation-type": (
        encoded({"context": {"eventId": "1", "eventType": "a.b", "resource": "c"}, "data": {}}),
        JSON,
    ),
    "first-generation-context": (encoded({"context": 7, "data": {}}), JSON),
    "first-generation-resource": (
        encoded(EVENTS[0].as_background("1")).replace(b"/documents/", b"/"),
        JSON,
    ),
    "first-generation-domain": (
        encoded(
            {
                name: part
                for event in EVENTS
                if event.name == "database-created"
                for name, part in event.as_background("1").items()
                if name != "domain"
            }
        ),
        JSON,
    ),
}
