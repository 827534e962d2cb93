"""Firebase's API of Cloud Storage, `/v0`: the requests of the Web SDK 10.12.2 and what it reads of the answers, iOS's
uploads, download tokens, and security rules."""

import os
import re
import urllib.parse
import uuid

import pytest
from auth.service import Service
from firestore.emulator import start
from firestore.tokens import unsigned
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from storage.app import App
from storage.service import GRANULE, OWNER, crc32c, cut, encoded, hashes, md5, send

PROJECT = "demo-storage"
BUCKET = f"{PROJECT}.appspot.com"
SERVICES = ("storage", "firestore", "auth")
RULES = """
rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /open/{name=**} { allow read, write; }
    match /users/{uid}/{name=**} { allow read, write: if request.auth.uid == uid; }
    match /single/{name} { allow get, create; }
    match /listed/{name=**} { allow list; }
    match /kept/{name} { allow read, create; allow update: if resource.metadata.open == 'yes'; }
    match /pictures/{name} {
      allow read;
      allow write: if request.resource == null
                   || (request.resource.size < 1000 && request.resource.contentType.matches('image/.*'));
    }
    match /members/{group}/{name} {
      allow read: if request.auth.uid in firestore.get(/databases/(default)/documents/groups/$(group)).data.members;
      allow write: if firestore.exists(/databases/(default)/documents/groups/$(group));
    }
  }
}
"""
# The members of an object's metadata that the SDK reads.
MEMBERS = {
    "name", "bucket", "generation", "metageneration", "contentType", "timeCreated", "updated", "storageClass", "size",
    "md5Hash", "crc32c", "etag", "contentEncoding", "contentDisposition", "downloadTokens",
}


class Emulator:
    """An emulator of our own, whose rules no other test changes."""

    def __init__(self, folder):
        (folder / "storage.rules").write_text(RULES)
        (folder / "firebase.json").write_text('{"storage": {"rules": "storage.rules"}}')
        ports = [f"--{service}-port=0" for service in SERVICES]
        self.process, self.ports = start("--project", PROJECT, "--only", ",".join(SERVICES), *ports, folder=folder)
        self.host = f"127.0.0.1:{self.ports['storage']}"
        self.auth = Service(f"127.0.0.1:{self.ports['auth']}", PROJECT)

    def app(self, token=None, scheme="Firebase"):
        return App(self.host, BUCKET, token, scheme)

    def user(self):
        """Signs somebody up, and returns the app and the user's id."""
        user = self.auth.sign_up()
        return self.app(user["idToken"]), user["localId"]

    def group(self, name, *members):
        """Writes the document of a group, or deletes it if it has no members."""
        path = f"/v1/projects/{PROJECT}/databases/(default)/documents/groups/{name}"
        fields = {"members": {"arrayValue": {"values": [{"stringValue": uid} for uid in members]}}}
        method, body = ("PATCH", {"fields": fields}) if members else ("DELETE", b"")
        send(f"127.0.0.1:{self.ports['firestore']}", method, path, body, OWNER).must()


@pytest.fixture(scope="module")
def emulator(tmp_path_factory):
    emulator = Emulator(tmp_path_factory.mktemp("emulator"))
    try:
        yield emulator
    finally:
        emulator.process.terminate()
        emulator.process.communicate()
    assert emulator.process.returncode == 0


@pytest.fixture
def owner(emulator):
    return emulator.app("owner")


@pytest.fixture
def nobody(emulator):
    return emulator.app()


@pytest.fixture
def folder():
    """A folder that is open to all, and new for each test."""
    return f"open/{uuid.uuid4().hex}"


def denied(answer, permission):
    """Checks the refusal by rules."""
    error = answer.must(403).body["error"]
    assert (error["code"], error["message"]) == (403, f"Permission denied. No {permission} permission.")
    return answer


# MARK: The recorded session


def test_the_recorded_session(emulator):
    """What the Web SDK sent for an avatar, in this order."""
    app, uid = emulator.user()
    name = f"users/{uid}/avatar ä.png"
    first = app.put(name, metadata={"k": "v"})
    assert set(first) >= MEMBERS and first["name"] == name and first["bucket"] == BUCKET
    assert (first["contentType"], first["size"], first["metadata"]) == ("image/png", "7", {"k": "v"})
    assert (first["md5Hash"], first["crc32c"]) == (md5(b"content"), crc32c(b"content"))
    assert all(isinstance(value, str) for key, value in first.items() if key != "metadata")
    content = os.urandom(300_000)
    location = app.start(name, len(content))
    assert app.command(location, "upload", content[:GRANULE], 0).must().headers["X-Goog-Upload-Status"] == "active"
    last = app.command(location, "upload, finalize", content[GRANULE:], GRANULE).must()
    assert last.headers["X-Goog-Upload-Status"] == "final" and last.body["size"] == "300000"
    assert last.body["generation"] > first["generation"]
    found = app.get(name).must().body
    assert found["generation"] == last.body["generation"] and found["downloadTokens"]
    # The SDK's download URL has the first token, and no user.
    token = found["downloadTokens"].split(",")[0]
    assert emulator.app().download(name, token=token).must().data == content
    changed = app.patch(name, cacheControl="x", metadata={"a": "b"}).must().body
    assert (changed["cacheControl"], changed["metadata"], changed["metageneration"]) == ("x", {"a": "b"}, "2")
    listed = app.list(prefix=f"users/{uid}/", delimiter="/", maxResults=5).must().body
    assert listed == {"prefixes": [], "items": [{"name": name, "bucket": BUCKET}]}
    assert app.download(name).must().data == content
    assert app.delete(name).must(204).data == b""
    app.get(name).must(404)


# MARK: Uploads


@pytest.mark.parametrize("name", ["a b", "100%.png", "#1?&=+;", "日本/語", "a//b", "a/../b", "/", "x" * 900, "\u00e9e\u0301"])
def test_a_name(nobody, folder, name):
    name = f"{folder}/{name}"
    assert nobody.put(name, name.encode())["name"] == name
    assert nobody.get(name).must().body["name"] == name
    assert nobody.download(name).must().data == name.encode()
    # The SDKs don't support such names, so Firebase's lists leave them out.
    listed = [] if "//" in name or name.endswith("/") else [{"name": name, "bucket": BUCKET}]
    assert nobody.list(prefix=f"{folder}/").must().body["items"] == listed
    nobody.delete(name).must(204)


@pytest.mark.parametrize("name", ["open/" + "x" * 1_020, "open/a\nb", "open/a\rb"], ids=["long", "newline", "return"])
def test_an_invalid_name(nobody, name):
    nobody.upload(name).must(400)
    nobody.begin(name, 7).must(400)


def test_an_upload_of_media(nobody, folder):
    answer = nobody.ask("POST", nobody.path(name=f"{folder}/a"), b"content", {"Content-Type": "image/gif"}).must()
    assert (answer.body["contentType"], answer.body["size"]) == ("image/gif", "7")
    assert nobody.download(f"{folder}/a").must().data == b"content"


@pytest.mark.parametrize(
    "headers, body",
    [
        ({"Content-Type": "multipart/related"}, b"--x\r\n\r\n{}\r\n--x--"),
        ({"Content-Type": "multipart/related; boundary=x"}, b"content"),
        ({"Content-Type": "multipart/related; boundary=x"}, b"--x\r\nContent-Type: application/json\r\n\r\n{\r\n--x--"),
        ({"Content-Type": "multipart/related; boundary=x"}, b"--x\r\n\r\n{}\r\n--x\r\n\r\ncontent without an end"),
    ],
    ids=["boundary", "parts", "one part", "end"],
)
def test_a_malformed_multipart_upload(nobody, folder, headers, body):
    answer = nobody.ask("POST", nobody.path(name=f"{folder}/a"), body, {"X-Goog-Upload-Protocol": "multipart", **headers})
    assert answer.status == 400 and answer.message
    nobody.get(f"{folder}/a").must(404)


def test_a_wrong_hash(nobody, folder):
    name = f"{folder}/a"
    nobody.put(name, b"old")
    nobody.upload(name, b"content", md5Hash=md5(b"other")).must(400)
    assert nobody.download(name).must().data == b"old"
    assert nobody.put(name, b"new", md5Hash=md5(b"new"))["size"] == "3"


def test_content_that_has_the_boundary(nobody, folder):
    content = b"\r\n--995523976437310963348556347012\r\n--\r\n\r\n--99552397643731096334855634701215x\r\n"
    nobody.put(f"{folder}/a", content[:-40])
    assert nobody.download(f"{folder}/a").must().data == content[:-40]


# MARK: Resumable uploads


def test_the_headers_of_a_resumable_upload(emulator, nobody, folder):
    answer = nobody.begin(f"{folder}/a", 300_000).must()
    headers = answer.headers
    assert (headers["X-Goog-Upload-Status"], headers["X-Goog-Upload-Chunk-Granularity"]) == ("active", str(GRANULE))
    assert headers["X-Goog-Upload-Control-URL"] == headers["X-Goog-Upload-URL"]
    query = urllib.parse.parse_qs(urllib.parse.urlparse(headers["X-Goog-Upload-URL"]).query)
    assert query["upload_id"] == [headers["X-GUploader-UploadID"] or headers["X-Gupload-Uploadid"]]
    assert query["upload_protocol"] == ["resumable"]
    nobody.get(f"{folder}/a").must(404)


def test_commands_one_by_one(nobody, folder):
    content = os.urandom(2 * GRANULE + 9)
    location = nobody.start(f"{folder}/a", len(content))
    assert nobody.received(location) == 0
    for offset in (0, GRANULE, 2 * GRANULE):
        answer = nobody.command(location, "upload", content[offset : offset + GRANULE], offset).must()
        assert answer.headers["X-Goog-Upload-Status"] == "active"
        assert nobody.received(location) == min(offset + GRANULE, len(content))
    nobody.get(f"{folder}/a").must(404)
    answer = nobody.command(location, "finalize").must()
    assert answer.headers["X-Goog-Upload-Status"] == "final" and answer.body["crc32c"] == crc32c(content)
    assert nobody.download(f"{folder}/a").must().data == content
    # The answer may have been lost.
    again = nobody.command(location, "finalize").must()
    assert (again.headers["X-Goog-Upload-Status"], again.body["generation"]) == ("final", answer.body["generation"])
    assert nobody.command(location, "query").must().headers["X-Goog-Upload-Status"] == "final"


@pytest.mark.parametrize("size", [0, 1, GRANULE, 3 * GRANULE])
def test_one_command(nobody, folder, size):
    content = os.urandom(size)
    location = nobody.start(f"{folder}/a", size)
    nobody.command(location, "upload, finalize", content, 0).must()
    assert nobody.download(f"{folder}/a").must().data == content


def test_the_state_after_a_cut(emulator, nobody, folder):
    """The SDK asks how much has arrived, and sends the rest."""
    content = os.urandom(4 * GRANULE)
    location = nobody.start(f"{folder}/a", len(content))
    headers = {**nobody.headers, "X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"}
    cut(emulator.host, "POST", location, content, headers, 2 * GRANULE + 1_000)
    arrived = nobody.received(location)
    assert arrived < len(content)
    nobody.get(f"{folder}/a").must(404)
    nobody.command(location, "upload, finalize", content[arrived:], arrived).must()
    assert nobody.download(f"{folder}/a").must().data == content


@pytest.mark.parametrize("offset", ["262145", "999999999", "-1", "x", "", "9" * 30, None])
def test_an_offset_that_does_not_fit(nobody, folder, offset):
    content = os.urandom(2 * GRANULE)
    location = nobody.start(f"{folder}/a", len(content))
    nobody.command(location, "upload", content[:GRANULE], 0).must()
    for command in ("upload", "upload, finalize"):
        answer = nobody.command(location, command, content[GRANULE:], offset)
        assert answer.status in (400, 409, 412, 416) and answer.message, answer
        assert nobody.received(location) == GRANULE
    nobody.command(location, "upload, finalize", content[GRANULE:], GRANULE).must()
    assert nobody.download(f"{folder}/a").must().data == content


def test_a_chunk_that_is_sent_twice(nobody, folder):
    """The answer to the first one may have been lost."""
    content = os.urandom(2 * GRANULE)
    location = nobody.start(f"{folder}/a", len(content))
    for _ in range(2):
        nobody.command(location, "upload", content[:GRANULE], 0).must()
        assert nobody.received(location) == GRANULE
    nobody.command(location, "upload, finalize", content, 0).must()
    assert nobody.download(f"{folder}/a").must().data == content


@pytest.mark.parametrize("size", [3, 99])
def test_an_announced_size_that_is_wrong(nobody, folder, size):
    location = nobody.start(f"{folder}/a", size)
    nobody.command(location, "upload, finalize", b"content", 0).must(400)
    nobody.get(f"{folder}/a").must(404)


@pytest.mark.parametrize("command", ["", "x", "start"])
def test_an_unknown_command(nobody, folder, command):
    location = nobody.start(f"{folder}/a", 7)
    answer = nobody.command(location, command, b"content", 0)
    assert answer.status == 400 and answer.message
    assert nobody.received(location) == 0


def test_a_cancelled_upload(nobody, folder):
    location = nobody.start(f"{folder}/a", GRANULE + 1)
    nobody.command(location, "upload", bytes(GRANULE), 0).must()
    answer = nobody.command(location, "cancel").must()
    assert answer.headers["X-Goog-Upload-Status"] in ("cancelled", "final")
    for command in ("query", "upload, finalize"):
        answer = nobody.command(location, command, b"x", GRANULE)
        assert answer.status >= 400 or answer.headers["X-Goog-Upload-Status"] == "cancelled"
    nobody.get(f"{folder}/a").must(404)


def test_an_unknown_upload(nobody, folder):
    location = nobody.start(f"{folder}/a", 7)
    unknown = re.sub("upload_id=[^&]+", "upload_id=none", location)
    assert nobody.command(unknown, "query").status in (404, 410)
    assert nobody.command(unknown, "upload, finalize", b"content", 0).status in (404, 410)


def test_an_upload_from_ios(nobody, folder):
    """Its SDK names the object in the query, and also in the path."""
    content, name = os.urandom(GRANULE + 1), f"{folder}/ä b.png"
    headers = {
        "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start",
        "X-Goog-Upload-Header-Content-Length": str(len(content)), "X-Goog-Upload-Header-Content-Type": "image/png",
        "Content-Type": "application/json; charset=UTF-8",
    }
    query = urllib.parse.urlencode({"uploadType": "resumable", "name": name})
    for target in (f"{nobody.path()}?{query}", f"{nobody.path(name)}?{query}"):
        answer = nobody.ask("POST", target, {"contentType": "image/png", "metadata": {"k": "v"}}, headers).must()
        location = answer.headers["X-Goog-Upload-URL"].split(nobody.host)[1]
        nobody.command(location, "upload", content[:GRANULE], 0).must()
        found = nobody.command(location, "upload, finalize", content[GRANULE:], GRANULE).must().body
        assert (found["name"], found["contentType"], found["metadata"]) == (name, "image/png", {"k": "v"})
        assert nobody.download(name).must().data == content
        nobody.delete(name).must(204)


# MARK: Browsers


def test_requests_of_browsers(nobody, folder):
    asked = "authorization,content-type,x-firebase-storage-version,x-goog-upload-command,x-goog-upload-offset"
    headers = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": asked}
    allowed = nobody.ask("OPTIONS", nobody.path(name=f"{folder}/a"), headers=headers)
    assert allowed.status in (200, 204) and allowed.headers["Access-Control-Allow-Origin"] in ("*", nobody.headers["Origin"])
    assert "POST" in allowed.headers["Access-Control-Allow-Methods"]
    assert set(asked.split(",")) <= set(allowed.headers["Access-Control-Allow-Headers"].lower().replace(" ", "").split(","))
    for answer in (nobody.begin(f"{folder}/a", 7), nobody.get(f"{folder}/none"), nobody.get("closed/a")):
        assert answer.headers["Access-Control-Allow-Origin"] in ("*", nobody.headers["Origin"])
    exposed = nobody.begin(f"{folder}/a", 7).headers["Access-Control-Expose-Headers"].lower()
    for name in ("status", "url", "size-received", "chunk-granularity", "control-url"):
        assert f"x-goog-upload-{name}" in exposed


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "image/png", "application/xhtml+xml", "text/xml"])
def test_a_page_runs_no_script(emulator, nobody, folder, kind):
    """An uploaded page, also one that says that it is a picture, can't use the emulator's origin."""
    token = nobody.put(f"{folder}/a", b"<script>alert(1)</script>", kind)["downloadTokens"]
    public = send(emulator.host, "GET", f"{nobody.path(f'{folder}/a')}?alt=media&token={token}")
    in_xml = send(emulator.host, "GET", f"/{BUCKET}/{folder}/a")
    in_json = send(emulator.host, "GET", f"/download/storage/v1/b/{BUCKET}/o/{encoded(f'{folder}/a')}?alt=media")
    for answer in (nobody.download(f"{folder}/a"), public, in_xml, in_json):
        headers = answer.must().headers
        assert headers["Content-Type"] == kind and headers["X-Content-Type-Options"] == "nosniff"
        policy = [each.split() for each in headers["Content-Security-Policy"].split(";")]
        sandbox = [each for each in policy if each[:1] == ["sandbox"]]
        assert sandbox and "allow-scripts" not in sandbox[0] and "allow-same-origin" not in sandbox[0]


# MARK: Downloads and tokens


def test_a_download(nobody, folder):
    found = nobody.put(f"{folder}/a", cacheControl="max-age=9", contentDisposition="attachment; filename*=utf-8''%C3%A4")
    headers = nobody.download(f"{folder}/a").must().headers
    assert headers["X-Goog-Hash"] == hashes(b"content") and headers["X-Goog-Generation"] == found["generation"]
    assert headers["X-Goog-Metageneration"] == "1" and headers["X-Goog-Storage-Class"] == "STANDARD" and headers["ETag"]
    assert headers["Content-Disposition"] == "attachment; filename*=utf-8''%C3%A4"
    assert (headers["Cache-Control"], headers["Content-Length"], headers["Content-Type"]) == ("max-age=9", "7", "image/png")


def test_ranges(nobody, folder):
    nobody.put(f"{folder}/a", b"0123456789")
    for value, part, place in [
        ("bytes=0-3", b"0123", "bytes 0-3/10"), ("bytes=8-", b"89", "bytes 8-9/10"), ("bytes=-2", b"89", "bytes 8-9/10"),
    ]:
        answer = nobody.download(f"{folder}/a", {"Range": value}).must(206)
        assert (answer.data, answer.headers["Content-Range"]) == (part, place)
    assert nobody.download(f"{folder}/a", {"Range": "bytes=10-"}).must(416).headers["Content-Range"] == "bytes */10"


def test_a_download_token(emulator, owner, nobody):
    name = f"closed/{uuid.uuid4().hex}"
    token = owner.put(name)["downloadTokens"]
    assert re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", token)
    assert nobody.download(name, token=token).must().data == b"content"
    assert nobody.download(name, {"Range": "bytes=3-"}, token=token).must(206).data == b"tent"
    for wrong in ("", "x", token[:-1], token + "0", token.upper(), "*"):
        denied(nobody.download(name, token=wrong), "READ")
    # A token is no permission for anything but the object's content and metadata.
    for method in ("DELETE", "PATCH"):
        denied(nobody.ask(method, nobody.path(name, token=token), {"cacheControl": "x"} if method == "PATCH" else b""), "WRITE")
    other = f"closed/{uuid.uuid4().hex}"
    owner.put(other)
    denied(nobody.download(other, token=token), "READ")


def test_a_revoked_token(owner, nobody):
    name = f"closed/{uuid.uuid4().hex}"
    first = owner.put(name)["downloadTokens"]
    tokens = owner.ask("POST", owner.path(name, create_token="true")).must().body["downloadTokens"].split(",")
    assert first in tokens and len(tokens) == 2
    (second,) = set(tokens) - {first}
    left = owner.ask("POST", owner.path(name, delete_token=first)).must().body["downloadTokens"]
    assert left == second
    denied(nobody.download(name, token=first), "READ")
    assert nobody.download(name, token=second).must().data == b"content"
    # An object that has none gets a new one when its metadata is read, so that its URL can be shared.
    owner.ask("POST", owner.path(name, delete_token=second)).must()
    third = owner.get(name).must().body["downloadTokens"]
    assert third and third not in (first, second)
    denied(nobody.download(name, token=second), "READ")


def test_tokens_are_for_administrators(emulator, nobody, folder):
    user, _ = emulator.user()
    token = nobody.put(f"{folder}/a")["downloadTokens"]
    for app in (nobody, user):
        for query in ({"create_token": "true"}, {"delete_token": token}):
            assert app.ask("POST", app.path(f"{folder}/a", **query)).status in (401, 403)
    assert nobody.get(f"{folder}/a").must().body["downloadTokens"] == token


def test_a_new_upload_has_a_new_token(owner, nobody):
    name = f"closed/{uuid.uuid4().hex}"
    first = owner.put(name)["downloadTokens"]
    second = owner.put(name, b"new")["downloadTokens"]
    assert first != second and nobody.download(name, token=second).must().data == b"new"
    denied(nobody.download(name, token=first), "READ")


# MARK: Metadata


def test_metadata(nobody, folder):
    name = f"{folder}/a"
    nobody.put(name, contentLanguage="it", metadata={"one": "1", "two": "zwei"})
    found = nobody.get(name).must().body
    assert set(found) >= MEMBERS and (found["contentLanguage"], found["storageClass"]) == ("it", "STANDARD")
    changed = nobody.patch(name, contentType="image/gif", metadata={"two": None, "three": "3"}, contentLanguage=None).must().body
    assert (changed["contentType"], changed["metadata"]) == ("image/gif", {"one": "1", "three": "3"})
    assert "contentLanguage" not in changed
    assert (changed["generation"], changed["metageneration"]) == (found["generation"], "2")
    assert changed["downloadTokens"] == found["downloadTokens"] and changed["updated"] >= found["updated"]
    assert nobody.get(name).must().body == changed


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_a_patch_by_another_method(nobody, folder, method):
    """Some HTTP clients of phones have no PATCH."""
    nobody.put(f"{folder}/a")
    headers = {"X-HTTP-Method-Override": "PATCH"}
    answer = nobody.ask(method, nobody.path(f"{folder}/a"), {"cacheControl": "no-store"}, headers).must()
    assert answer.body["cacheControl"] == "no-store"


def test_metadata_of_any_text(nobody, folder):
    """Custom metadata is no header of a download unless it can be one."""
    name = f"{folder}/a"
    metadata = {"a b": "c", "line": "x\r\nX-Evil: 1", "ä": "日本", "x\nX-Evil": "2", "colon:": "y", "plain": "z"}
    answer = nobody.upload(name, metadata=metadata)
    if answer.status == 400:
        nobody.put(name, metadata={"plain": "z"})
    else:
        assert answer.must().body["metadata"] == metadata
    headers = nobody.download(name).must().headers
    assert headers["X-Evil"] is None and headers["X-Goog-Meta-Plain"] == "z"


@pytest.mark.parametrize("member", ["contentType", "cacheControl", "contentDisposition", "contentLanguage", "contentEncoding"])
@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nX-Evil: 1", "x" * 100_000, "\0"], ids=["CRLF", "LF", "long", "NUL"])
def test_metadata_that_can_not_be_a_header(nobody, folder, member, value):
    nobody.put(f"{folder}/a")
    assert nobody.patch(f"{folder}/a", **{member: value}).must(400).message
    assert nobody.download(f"{folder}/a").must().headers["X-Evil"] is None


def test_metadata_that_a_client_can_not_change(nobody, folder):
    name = f"{folder}/a"
    before = nobody.put(name)
    changed = {"name": "b", "size": "1", "md5Hash": "x", "generation": "1", "downloadTokens": "mine", "cacheControl": "x"}
    answer = nobody.ask("PATCH", nobody.path(name), changed)
    assert answer.status in (200, 400)
    after = nobody.get(name).must().body
    for member in ("name", "size", "md5Hash", "generation", "downloadTokens", "timeCreated"):
        assert after[member] == before[member]


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"metadata": 5}', b'{"contentType": {}}', b'{"metadata": {"a": {}}}'])
def test_a_malformed_patch(nobody, folder, body):
    nobody.put(f"{folder}/a")
    answer = nobody.ask("PATCH", nobody.path(f"{folder}/a"), body, {"Content-Type": "application/json"})
    assert answer.status == 400 and answer.message


def test_missing_objects(nobody, owner, folder):
    for app in (nobody, owner):
        for answer in (app.get(f"{folder}/none"), app.download(f"{folder}/none"), app.delete(f"{folder}/none"),
                       app.patch(f"{folder}/none", cacheControl="x"), app.download(f"{folder}/none", token="x")):
            assert answer.must(404).headers["Access-Control-Allow-Origin"]


# MARK: Lists


def test_lists(nobody, folder):
    names = [f"{folder}/{name}" for name in ("a", "b/1", "b/2", "c/d/3", "z")]
    for name in names:
        nobody.put(name, b"")
    items = [{"name": name, "bucket": BUCKET} for name in names]
    whole = nobody.list(prefix=f"{folder}/").must().body
    assert whole == {"prefixes": [], "items": items}
    top = nobody.list(prefix=f"{folder}/", delimiter="/").must().body
    assert top == {"prefixes": [f"{folder}/b/", f"{folder}/c/"], "items": [items[0], items[4]]}
    assert nobody.list(prefix=f"{folder}/c/", delimiter="/").must().body == {"prefixes": [f"{folder}/c/d/"], "items": []}
    assert nobody.list(prefix=f"{folder}/none/", delimiter="/").must().body == {"prefixes": [], "items": []}
    found, token = [], {}
    while True:
        page = nobody.list(prefix=f"{folder}/", delimiter="/", maxResults=1, **token).must().body
        assert len(page["prefixes"]) + len(page["items"]) == 1
        found += page["prefixes"] + [item["name"] for item in page["items"]]
        if "nextPageToken" not in page:
            break
        token = {"pageToken": page["nextPageToken"]}
    assert sorted(found) == sorted(top["prefixes"] + [names[0], names[4]])


def test_a_prefix_is_a_folder(nobody, owner, folder):
    nobody.list(prefix=folder).must(400)
    for query in ({"maxResults": "-1"}, {"maxResults": "x"}):
        nobody.list(prefix=f"{folder}/", **query).must(400)
    assert owner.list().must().body["items"] is not None


# MARK: Rules


def test_administrators(emulator):
    name = f"closed/{uuid.uuid4().hex}"
    for scheme in ("Bearer", "Firebase"):
        app = emulator.app("owner", scheme)
        app.put(name)
        app.get(name).must()
        app.delete(name).must(204)


def test_strangers(emulator, owner, nobody):
    stranger, _ = emulator.user()
    name = f"closed/{uuid.uuid4().hex}"
    owner.put(name)
    for app in (nobody, stranger):
        denied(app.get(name), "READ")
        denied(app.download(name), "READ")
        denied(app.list(prefix="closed/", delimiter="/"), "LIST")
        denied(app.patch(name, cacheControl="x"), "WRITE")
        denied(app.delete(name), "WRITE")
        denied(app.upload(name, b"new"), "WRITE")
        denied(app.ask("POST", app.path(name=name), b"new"), "WRITE")
        # Rules don't tell whether there is an object.
        denied(app.get(f"{name}-none"), "READ")
        denied(app.delete(f"{name}-none"), "WRITE")
    assert owner.download(name).must().data == b"content"


def test_users(emulator):
    (alice, uid), (bob, _) = emulator.user(), emulator.user()
    name = f"users/{uid}/a"
    alice.put(name)
    alice.patch(name, cacheControl="x").must()
    assert alice.list(prefix=f"users/{uid}/").must().body["items"][0]["name"] == name
    denied(bob.get(name), "READ")
    denied(bob.upload(name), "WRITE")
    for scheme in ("Firebase", "Bearer"):
        unsigned_app = emulator.app(unsigned(uid, PROJECT), scheme)
        assert unsigned_app.download(name).must().data == b"content"
    alice.delete(name).must(204)


def test_tokens_that_are_not_valid(emulator):
    alice, uid = emulator.user()
    alice.put(f"users/{uid}/a")
    for token in ("x", "a.b.c", unsigned(uid, "other-project"), "owner.", unsigned("", PROJECT)):
        app = emulator.app(token)
        assert app.get(f"users/{uid}/a").status in (401, 403), token
        assert app.upload(f"users/{uid}/a").status in (401, 403), token
        assert app.begin(f"users/{uid}/b", 7).status in (200, 401, 403), token
    assert alice.download(f"users/{uid}/a").must().data == b"content"


def test_the_user_of_a_resumable_upload(emulator, nobody):
    """The user of its start: later requests need no token."""
    alice, uid = emulator.user()
    name = f"users/{uid}/a"
    location = alice.start(name, 7)
    assert nobody.command(location, "upload, finalize", b"content", 0).must().headers["X-Goog-Upload-Status"] == "final"
    denied(nobody.begin(name, 3), "WRITE")
    assert alice.download(name).must().data == b"content"


def test_a_resumable_upload_that_is_denied_at_its_end(emulator):
    """The rules may have become others since its start, and the answer may be lost."""
    alice, uid = emulator.user()
    emulator.group(group := uuid.uuid4().hex, uid)
    location = alice.start(f"members/{group}/a", 7)
    emulator.group(group)
    for command, content in [("upload, finalize", b"content"), ("finalize", b"")]:
        answer = denied(alice.command(location, command, content, 0), "WRITE")
        assert answer.headers["X-Goog-Upload-Status"] == "final"
    emulator.app("owner").get(f"members/{group}/a").must(404)


def test_rules_of_single_methods(nobody, owner):
    name = f"single/{uuid.uuid4().hex}"
    nobody.put(name)
    nobody.get(name).must()
    denied(nobody.list(prefix="single/"), "LIST")
    denied(nobody.delete(name), "WRITE")
    denied(nobody.patch(name, cacheControl="x"), "WRITE")
    assert nobody.list(prefix="listed/").must().body == {"prefixes": [], "items": []}
    listed = f"listed/{uuid.uuid4().hex}/a"
    owner.put(listed)
    denied(nobody.get(listed), "READ")
    assert nobody.list(prefix=listed.removesuffix("a")).must().body["items"] == [{"name": listed, "bucket": BUCKET}]
    owner.delete(listed).must(204)


def test_rules_of_contents(nobody):
    name = f"pictures/{uuid.uuid4().hex}"
    denied(nobody.upload(name, bytes(1_000)), "WRITE")
    denied(nobody.upload(name, b"content", "text/html"), "WRITE")
    nobody.put(name, bytes(999))
    denied(nobody.patch(name, contentType="text/html"), "WRITE")
    assert nobody.get(name).must().body["contentType"] == "image/png"
    # The size that a client announces isn't the size that counts.
    location = nobody.start(name, 10)
    answer = nobody.command(location, "upload, finalize", bytes(1_000), 0)
    assert answer.status in (400, 403)
    assert nobody.get(name).must().body["size"] == "999"
    nobody.delete(name).must(204)


def test_rules_of_metadata(nobody):
    name = f"kept/{uuid.uuid4().hex}"
    nobody.put(name, metadata={"open": "no"})
    denied(nobody.patch(name, metadata={"open": "yes"}), "WRITE")
    other = f"kept/{uuid.uuid4().hex}"
    nobody.put(other, metadata={"open": "yes"})
    nobody.patch(other, metadata={"open": "no"}).must()
    denied(nobody.patch(other, metadata={"open": "yes"}), "WRITE")


def test_rules_that_read_firestore(emulator):
    (alice, uid), (bob, _) = emulator.user(), emulator.user()
    group = uuid.uuid4().hex
    name = f"members/{group}/a"
    denied(alice.upload(name), "WRITE")
    emulator.group(group, uid)
    alice.put(name)
    assert alice.download(name).must().data == b"content"
    denied(bob.download(name), "READ")
    emulator.group(group)
    denied(alice.download(name), "READ")


def test_the_json_api_is_for_servers(emulator, nobody):
    """No rules hold there, and both have the same objects."""
    client = storage.Client(
        project=PROJECT, credentials=AnonymousCredentials(), client_options={"api_endpoint": f"http://{emulator.host}"}
    )
    name = f"closed/{uuid.uuid4().hex}"
    blob = client.bucket(BUCKET).blob(name)
    blob.metadata = {"firebaseStorageDownloadTokens": "11111111-1111-1111-1111-111111111111"}
    blob.upload_from_string(b"content", content_type="image/png")
    assert nobody.download(name, token="11111111-1111-1111-1111-111111111111").must().data == b"content"
    found = emulator.app("owner").get(name).must().body
    assert found["downloadTokens"] == "11111111-1111-1111-1111-111111111111" and found["contentType"] == "image/png"
    assert found["generation"] == str(blob.generation)
    denied(nobody.get(name), "READ")
    client.close()


def test_an_unknown_bucket(emulator, owner):
    """Firebase's emulators make a bucket at its first use; ours says which one there is."""
    app = App(emulator.host, f"bucket-{uuid.uuid4().hex}", "owner")
    assert app.get("a").status == 404 and app.upload("a").status in (200, 404)
    assert app.list().status in (200, 404)
