"""Cloud Storage as plainly as possible: HTTP requests whose paths are sent as they are, checksums, and the script's two
servers."""

import base64
import contextlib
import hashlib
import http.client
import json
import os
import urllib.parse
from dataclasses import dataclass

import google_crc32c

OWNER = {"Authorization": "Bearer owner"}
HOST = os.environ.get("FIREBASE_STORAGE_EMULATOR_HOST", "")
KIB = 1_024
MIB = 1_024 * KIB
# Chunks of resumable uploads are multiples of this size.
GRANULE = 256 * KIB


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    data: bytes

    @property
    def body(self):
        return json.loads(self.data)

    @property
    def message(self):
        """The message of an error."""
        return self.body["error"]["message"]

    def must(self, status=200):
        assert self.status == status, self
        return self


def send(host, method, target, body=b"", headers=None):
    """Sends a request, whose path other libraries would change. JSON is encoded; an iterator's parts are sent in chunks,
    without a length."""
    connection = http.client.HTTPConnection(host, timeout=60)
    try:
        if isinstance(body, dict):
            body, headers = json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})}
        # The server may refuse a request before it has all of it.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request(method, target, body, headers or {})
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


def cut(host, method, target, body, headers, length):
    """Sends a request with only the first part of its body, and closes the connection."""
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.putrequest(method, target)
    for name, value in {**headers, "Content-Length": len(body)}.items():
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(body[:length])
    connection.close()


def encoded(name):
    """Returns an object's name as one segment of a path."""
    return urllib.parse.quote(name, safe="")


def crc32c(content):
    return base64.b64encode(google_crc32c.value(content).to_bytes(4, "big")).decode()


def md5(content):
    return base64.b64encode(hashlib.md5(content).digest()).decode()


def hashes(content):
    """Returns the header that a download of the content has."""
    return f"crc32c={crc32c(content)},md5={md5(content)}"


def related(metadata, content, kind="text/plain", boundary="a-boundary"):
    """Returns the headers and the body of an upload in one request: metadata and content."""
    head = f"--{boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{json.dumps(metadata)}\r\n"
    head += f"--{boundary}\r\nContent-Type: {kind}\r\n\r\n"
    body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
    return {"Content-Type": f"multipart/related; boundary={boundary}"}, body
