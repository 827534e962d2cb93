"""Firebase's API of Cloud Storage, with the requests of its Web SDK."""

import json
import urllib.parse

from storage.service import encoded, send

BOUNDARY = "99552397643731096334855634701215"
# What a browser adds.
BROWSER = {"X-Firebase-Storage-Version": "webjs/10.12.2", "Origin": "http://localhost:5000"}


class App:
    """An app, of a user if it has an ID token."""

    def __init__(self, host, bucket, token=None, scheme="Firebase"):
        self.host, self.bucket = host, bucket
        self.headers = {**BROWSER, **({"Authorization": f"{scheme} {token}"} if token else {})}

    def path(self, name=None, **query):
        """Returns the path of the bucket's objects, or of one of them."""
        name = "" if name is None else f"/{encoded(name)}"
        return f"/v0/b/{self.bucket}/o{name}" + (f"?{urllib.parse.urlencode(query)}" if query else "")

    def ask(self, method, target, body=b"", headers=None):
        """Sends a request. Like Node, it sends a body in chunks of HTTP, without a length."""
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            headers = {"Content-Type": "application/json; charset=utf-8", **(headers or {})}
        parts = iter([body]) if body else b""
        return send(self.host, method, target, parts, {**self.headers, **(headers or {})})

    def upload(self, name, content=b"content", kind="image/png", **metadata):
        """Uploads an object in one request."""
        resource = json.dumps({"name": name, "contentType": kind, **metadata}, ensure_ascii=False)
        body = f"--{BOUNDARY}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{resource}\r\n"
        body += f"--{BOUNDARY}\r\nContent-Type: {kind}\r\n\r\n"
        headers = {"X-Goog-Upload-Protocol": "multipart", "Content-Type": f"multipart/related; boundary={BOUNDARY}"}
        return self.ask("POST", self.path(name=name), body.encode() + content + f"\r\n--{BOUNDARY}--".encode(), headers)

    def put(self, name, content=b"content", kind="image/png", **metadata):
        """Uploads an object, and returns its metadata."""
        return self.upload(name, content, kind, **metadata).must().body

    def get(self, name):
        return self.ask("GET", self.path(name))

    def patch(self, name, **metadata):
        return self.ask("PATCH", self.path(name), metadata)

    def delete(self, name):
        return self.ask("DELETE", self.path(name))

    def list(self, **query):
        return self.ask("GET", self.path(**query))

    def download(self, name, headers=None, **query):
        return self.ask("GET", self.path(name, alt="media", **query), headers=headers)

    def begin(self, name, size, kind="image/png", **metadata):
        """Sends the first request of a resumable upload."""
        headers = {
            "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start",
            "X-Goog-Upload-Header-Content-Length": str(size), "X-Goog-Upload-Header-Content-Type": kind,
        }
        return self.ask("POST", self.path(name=name), {"name": name, "contentType": kind, **metadata}, headers)

    def start(self, name, size, kind="image/png", **metadata):
        """Starts a resumable upload, and returns the path to which its content goes."""
        answer = self.begin(name, size, kind, **metadata).must()
        assert answer.headers["X-Goog-Upload-Status"] == "active"
        url = answer.headers["X-Goog-Upload-URL"]
        assert url.startswith(f"http://{self.host}/v0/b/{self.bucket}/o?")
        return url.removeprefix(f"http://{self.host}")

    def command(self, location, command, content=b"", offset=None):
        """Sends a command of a resumable upload."""
        headers = {"X-Goog-Upload-Command": command}
        if offset is not None:
            headers["X-Goog-Upload-Offset"] = str(offset)
        return self.ask("POST", location, content, headers)

    def received(self, location):
        """Returns how much of a resumable upload has arrived."""
        answer = self.command(location, "query").must()
        assert answer.headers["X-Goog-Upload-Status"] == "active"
        return int(answer.headers["X-Goog-Upload-Size-Received"])
