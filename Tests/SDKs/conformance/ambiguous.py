"""Requests that two servers may read differently. None of them reaches the function."""

from conformance.malformed import ATTRIBUTES
from conformance.requests import JSON, STRUCTURED, binary, encoded

CALL = "Content-Type: application/json\r\n"
ONE = "Content-Length: 2\r\n\r\n{}"
CHUNKS = "\r\n2\r\n{}\r\n0\r\n\r\n"
CHUNKED = f"Transfer-Encoding: chunked\r\n{CHUNKS}"

# Raw requests. Their connection is closed.
FRAMING = {
    "no-host": f"POST / HTTP/1.1\r\n{CALL}{ONE}",
    "two-hosts": f"POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n{CALL}{ONE}",
    "two-hosts-alike": f"POST / HTTP/1.1\r\nHost: a\r\nHost: a\r\n{CALL}{ONE}",
    "another-host": f"POST http://b/ HTTP/1.1\r\nHost: a\r\n{CALL}{ONE}",
    "two-lengths": f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n{CALL}{ONE}",
    "length-and-chunks": f"POST / HTTP/1.1\r\nHost: a\r\n{CALL}Content-Length: 12\r\n{CHUNKED}",
    "identity-and-chunked": "POST / HTTP/1.1\r\nHost: a\r\n"
    f"{CALL}Transfer-Encoding: identity, chunked\r\n{CHUNKS}",
    "zipped": f"POST / HTTP/1.1\r\nHost: a\r\n{CALL}Transfer-Encoding: gzip, chunked\r\n{CHUNKS}",
    "chunked-twice": f"POST / HTTP/1.1\r\nHost: a\r\n{CALL}Transfer-Encoding: chunked\r\n{CHUNKED}",
    "chunked-in-1.0": f"POST / HTTP/1.0\r\nHost: a\r\n{CALL}{CHUNKED}",
}

EVENT = "".join(f"{name}: {value}\r\n" for name, value in binary(ATTRIBUTES).items())
# Additional headers of events in binary mode.
HEADERS = {
    "id-twice": "ce-id: 1\r\n",
    "two-ids": "ce-id: 2\r\n",
    "extension-twice": "ce-tier: 1\r\nce-tier: 2\r\n",
    "two-content-types": "Content-Type: text/plain\r\n",
}

# Bodies and headers of events, and of calls.
EVENTS = {
    "structured-id-twice": (encoded(ATTRIBUTES)[:-1] + b',"id":"2"}', STRUCTURED),
    "structured-data-twice": (encoded(ATTRIBUTES)[:-1] + b',"data":{}}', STRUCTURED),
    "binary-data": (b'{"n":1,"n":2}', binary(ATTRIBUTES)),
    **{
        f"binary-{name}-{kind}": (b"{}", binary(ATTRIBUTES) | {f"ce-{name}": control})
        for name in ("id", "source", "type")
        for kind, control in (("null", "a%00"), ("line", "a%0d%0aX: b"), ("tab", b"a\tb"))
    },
    "structured-control": (encoded(ATTRIBUTES | {"id": "a\n"}), STRUCTURED),
}
CALLS = {
    "data-twice": (b'{"data":{},"data":{}}', JSON),
    "member-twice": (b'{"n":1,"n":2}', JSON),
}
