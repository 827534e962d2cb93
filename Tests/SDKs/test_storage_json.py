"""Cloud Storage's JSON API: a script of Google's client and of plain requests, which our service and fake-gcs-server
both run. Each test that fake-gcs-server fails has its reason in `storage/differences.py`, and each reason such a test.
"""

import concurrent.futures
import contextlib
import gzip
import io
import os
import uuid

import pytest
import requests
from google.api_core.exceptions import Conflict, NotFound, PreconditionFailed
from google.resumable_media.requests import ResumableUpload
from storage.service import GRANULE, KIB, crc32c, cut, encoded, hashes, md5, related, send
from storage.sides import bucket, differs, names, path, put, side

# MARK: Buckets


def test_buckets(side):
    name = f"bucket-{uuid.uuid4().hex}"
    assert not side.client.bucket(name).exists()
    with pytest.raises(NotFound):
        side.client.get_bucket(name)
    made = side.client.create_bucket(name)
    assert (made.name, made.storage_class, made.versioning_enabled) == (name, "STANDARD", False)
    assert made.exists() and side.client.get_bucket(name).name == name
    assert name in names(side.client.list_buckets())
    made.delete()
    assert not made.exists()
    with pytest.raises(NotFound):
        made.delete()


def test_buckets_with_a_prefix(side, bucket):
    assert names(side.client.list_buckets(prefix=bucket.name)) == [bucket.name]


def test_a_bucket_is_created_once(side, bucket):
    with pytest.raises(Conflict):
        side.client.create_bucket(bucket.name)


def test_a_bucket_with_objects_stays(bucket):
    put(bucket, "a")
    with pytest.raises(Conflict):
        bucket.delete()
    assert bucket.exists()


def test_a_bucket_is_deleted_with_its_objects(bucket):
    put(bucket, "a")
    bucket.delete(force=True)
    assert not bucket.exists()


@pytest.mark.parametrize(
    "name",
    ["", "ab", "Upper", "a!b", "-ab", "x" * 64, "a/b", "127.0.0.1"],
    ids=["empty", "short", "upper", "mark", "hyphen", "long", "slash", "address"],
)
def test_an_invalid_name_of_a_bucket(side, name):
    side.ask("POST", "/b?project=demo-worldchat", {"name": name}).must(400)


def test_a_missing_object(side, bucket):
    with pytest.raises(NotFound):
        bucket.blob("none").download_as_bytes()
    with pytest.raises(NotFound):
        bucket.blob("none").reload()
    assert bucket.get_blob("none") is None and not bucket.blob("none").exists()
    for name in (bucket.name, "no-such-bucket"):
        error = side.ask("GET", f"/b/{name}/o/none").must(404).body["error"]
        (detail,) = error["errors"]
        assert error["code"] == 404 and detail["message"] == error["message"] != ""


def test_the_words_of_a_missing_object(side, bucket):
    for method in ("GET", "PATCH", "DELETE"):
        error = side.ask(method, path(bucket, "no/ne"), {} if method == "PATCH" else b"").must(404).body["error"]
        message = f"No such object: {bucket.name}/no/ne"
        detail = {"message": message, "domain": "global", "reason": "notFound"}
        assert (error["code"], error["message"], error["errors"]) == (404, message, [detail])


# MARK: Uploads


@pytest.mark.parametrize("kind", ["text/plain", "image/png", "application/octet-stream"])
def test_an_upload_from_a_string(bucket, kind):
    blob = put(bucket, "a", b"content", content_type=kind)
    assert (blob.size, blob.content_type, blob.storage_class) == (7, kind, "STANDARD")
    assert (blob.crc32c, blob.md5_hash) == (crc32c(b"content"), md5(b"content"))
    assert blob.updated >= blob.time_created and blob.generation > 0 and blob.metageneration == 1 and blob.etag
    assert blob.id.startswith(f"{bucket.name}/a") and blob.self_link.endswith(f"/b/{bucket.name}/o/a")
    assert "alt=media" in blob.media_link
    assert blob.download_as_bytes() == b"content" and blob.exists()


def test_an_upload_from_a_file(bucket, tmp_path):
    (tmp_path / "a.txt").write_text("von ä bis ü")
    blob = bucket.blob("folder/a.txt")
    blob.upload_from_filename(tmp_path / "a.txt")
    blob.download_to_filename(tmp_path / "b.txt")
    assert (tmp_path / "b.txt").read_text() == blob.download_as_text() == "von ä bis ü"
    assert bucket.get_blob("folder/a.txt").content_type == "text/plain"


def test_an_upload_with_metadata(bucket):
    blob = bucket.blob("a")
    blob.metadata = {"by": "sarah", "wörld": "日本"}
    blob.cache_control, blob.content_language, blob.content_disposition = "no-store", "it", "inline"
    blob.upload_from_string(b"x", content_type="text/html")
    found = bucket.get_blob("a")
    assert found.metadata == {"by": "sarah", "wörld": "日本"} and found.content_type == "text/html"
    assert (found.cache_control, found.content_language, found.content_disposition) == ("no-store", "it", "inline")


class Unseekable(io.RawIOBase):
    """A stream like a socket's: it can't go back, and nobody knows its length."""

    def __init__(self, content):
        self.source = io.BytesIO(content)

    def readable(self):
        return True

    def tell(self):
        return self.source.tell()

    def readinto(self, buffer):
        return self.source.readinto(buffer)


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("size", [0, 1, GRANULE - 1, GRANULE, GRANULE + 1, 4 * GRANULE])
def test_a_resumable_upload_in_chunks(bucket, size, is_known):
    content = os.urandom(size)
    blob = bucket.blob("a", chunk_size=GRANULE)
    blob.metadata = {"k": "v"}
    stream = io.BytesIO(content) if is_known else io.BufferedReader(Unseekable(content))
    blob.upload_from_file(stream, size=size if is_known else None, content_type="image/png")
    found = bucket.get_blob("a")
    assert (found.size, found.crc32c, found.content_type) == (size, crc32c(content), "image/png")
    assert found.metadata == {"k": "v"} and found.download_as_bytes() == content


def test_an_upload_of_media(side, bucket):
    answer = side.upload(bucket, "media&name=a%20b", b"content", {"Content-Type": "image/gif"}).must()
    assert (answer.body["name"], answer.body["contentType"], answer.body["size"]) == ("a b", "image/gif", "7")
    assert bucket.blob("a b").download_as_bytes() == b"content"


def test_an_upload_as_gcloud_sends_it(side, bucket):
    """Its boundary has other quotation marks, and its lines end without a carriage return."""
    body = '--==1==\nContent-Type: application/json\nMIME-Version: 1.0\n\n{"name": "a"}\n'
    body += "--==1==\nContent-Type: text/plain\nContent-Transfer-Encoding: binary\n\nfrom\r\ngcloud\n\n--==1==--\n"
    headers = {"Content-Type": "multipart/related; boundary='==1=='"}
    side.upload(bucket, "multipart", body.encode(), headers).must()
    assert bucket.blob("a").download_as_bytes() == b"from\r\ngcloud\n"


def test_an_upload_without_a_length(side, bucket):
    parts = [os.urandom(100_000) for _ in range(5)]
    side.upload(bucket, "media&name=a", iter(parts)).must()
    assert bucket.blob("a").download_as_bytes() == b"".join(parts)


def test_an_upload_that_is_cut(side, bucket):
    put(bucket, "a", b"old")
    content = bytes(GRANULE)
    target = f"/upload/storage/v1/b/{bucket.name}/o?name=a&uploadType="
    headers, body = related({"name": "a"}, content)
    cut(side.host, "POST", f"{target}multipart", body, headers, len(body) - 10)
    cut(side.host, "POST", f"{target}media", content, {}, len(content) - 1)
    assert side.upload(bucket, "multipart", body[:-10], headers).status >= 400
    assert bucket.blob("a").download_as_bytes() == b"old"


@pytest.mark.parametrize("query", ["media", "resumable", "multipart", "other&name=a"])
def test_an_upload_without_a_name_or_kind(side, bucket, query):
    side.upload(bucket, query, b"content").must(400)
    assert names(bucket.list_blobs()) == []


def test_an_upload_to_a_missing_bucket(side):
    missing = side.client.bucket(f"bucket-{uuid.uuid4().hex}")
    with pytest.raises(NotFound):
        put(missing, "a")
    with pytest.raises(NotFound):
        missing.blob("a", chunk_size=GRANULE).upload_from_file(io.BytesIO(b"content"))


def test_recovery_after_a_cut(side, bucket):
    """Google's library asks how much has arrived, and continues there."""
    content = os.urandom(4 * GRANULE + 5)
    upload = ResumableUpload(f"{side.endpoint}/upload/storage/v1/b/{bucket.name}/o?uploadType=resumable", GRANULE)
    with requests.Session() as session:
        upload.initiate(session, io.BytesIO(content), {"name": "a"}, "image/png")
        upload.transmit_next_chunk(session)
        location = upload.resumable_url.removeprefix(side.endpoint)
        headers = {"Content-Range": f"bytes {GRANULE}-{3 * GRANULE - 1}/{len(content)}"}
        cut(side.host, "PUT", location, content[GRANULE : 3 * GRANULE], headers, GRANULE + 1_000)
        upload._make_invalid()
        upload.recover(session)
        assert GRANULE <= upload.bytes_uploaded < 3 * GRANULE
        while not upload.finished:
            upload.transmit_next_chunk(session)
    assert bucket.blob("a").download_as_bytes() == content


def test_the_state_of_a_resumable_upload(side, bucket):
    content = os.urandom(2 * GRANULE)
    location = side.start(bucket, {"name": "a"})
    nothing = side.put(location, b"", f"*/{len(content)}").must(308)
    assert nothing.headers["Range"] is None
    first = side.put(location, content[:GRANULE], f"0-{GRANULE - 1}/{len(content)}").must(308)
    for answer in (first, side.put(location, b"", "*/*").must(308)):
        assert answer.headers["Range"] == f"bytes=0-{GRANULE - 1}"
    assert not bucket.blob("a").exists()
    done = side.put(location, content[GRANULE:], f"{GRANULE}-{2 * GRANULE - 1}/{len(content)}").must()
    assert done.body["crc32c"] == crc32c(content)
    # The answer to the last chunk may have been lost.
    again = side.put(location, b"", f"*/{len(content)}").must()
    assert again.body["generation"] == done.body["generation"]


def test_a_size_that_is_known_at_the_end(side, bucket):
    location = side.start(bucket, {"name": "a"})
    side.put(location, bytes(GRANULE), f"0-{GRANULE - 1}/*").must(308)
    assert side.put(location, b"", f"*/{GRANULE}").must().body["size"] == str(GRANULE)


def test_a_chunk_that_is_sent_twice(side, bucket):
    content = os.urandom(2 * GRANULE + 9)
    location = side.start(bucket, {"name": "a"})
    for _ in range(2):
        answer = side.put(location, content[:GRANULE], f"0-{GRANULE - 1}/{len(content)}").must(308)
        assert answer.headers["Range"] == f"bytes=0-{GRANULE - 1}"
    # A client that lost all answers begins again.
    side.put(location, content, f"0-{len(content) - 1}/{len(content)}").must()
    assert bucket.blob("a").download_as_bytes() == content


@pytest.mark.parametrize(
    "place",
    [
        f"{GRANULE}-{2 * GRANULE - 1}/*",
        f"1-{GRANULE}/*",
        f"0-{GRANULE}/*",
        f"0-{GRANULE - 2}/*",
        f"0-{GRANULE - 1}/{GRANULE - 1}",
        f"{GRANULE - 1}-0/*",
        "0-x/*",
        "-1-5/*",
        f"0-{10**30}/*",
    ],
    ids=["gap", "shifted", "longer", "shorter", "total", "backwards", "letters", "negative", "huge"],
)
def test_a_place_that_does_not_fit(side, bucket, place):
    """The upload goes on with what has arrived: a part of the chunk at most, and only if it begins where it must."""
    content = os.urandom(GRANULE)
    location = side.start(bucket, {"name": "a"})
    answer = side.put(location, content, place)
    assert answer.status in (400, 416, 503), answer
    arrived = side.put(location, b"", "*/*").must(308).headers["Range"]
    start = int(arrived.removeprefix("bytes=0-")) + 1 if arrived else 0
    assert start == 0 or place.startswith("0-")
    rest = f"{start}-{GRANULE - 1}" if start < GRANULE else "*"
    side.put(location, content[start:], f"{rest}/{GRANULE}").must()
    assert bucket.blob("a").download_as_bytes() == content


def test_an_announced_size_that_is_wrong(side, bucket):
    location = side.start(bucket, {"name": "a"}, headers={"X-Upload-Content-Length": "10"})
    side.put(location, b"content", "0-6/7").must(400)
    assert not bucket.blob("a").exists()


def test_a_cancelled_upload(side, bucket):
    location = side.start(bucket, {"name": "a"})
    side.put(location, bytes(GRANULE), f"0-{GRANULE - 1}/*").must(308)
    assert send(side.host, "DELETE", location).status in (204, 499)
    for place in ("*/*", f"*/{GRANULE}"):
        assert side.put(location, b"", place).status in (404, 410, 499)
    assert not bucket.blob("a").exists()


def test_an_unknown_upload(side, bucket):
    location = side.start(bucket, {"name": "a"})
    for unknown in (location.replace("upload_id=", "upload_id=0"), location.split("upload_id=")[0] + "upload_id=none"):
        assert side.put(unknown, b"x", "0-0/1").status in (404, 410)


# MARK: Hashes

WRONG = {"md5": {"md5Hash": md5(b"other")}, "crc32c": {"crc32c": crc32c(b"other")}}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_hash(side, bucket, wrong):
    put(bucket, "a", b"old")
    headers, body = related({"name": "a", **WRONG[wrong]}, b"content")
    side.upload(bucket, "multipart", body, headers).must(400)
    assert bucket.blob("a").download_as_bytes() == b"old"


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_hash_of_a_resumable_upload(side, bucket, wrong):
    location = side.start(bucket, {"name": "a", **WRONG[wrong]})
    side.put(location, b"content", "0-6/7").must(400)
    assert not bucket.blob("a").exists()


@pytest.mark.parametrize("value", [f"crc32c={crc32c(b'other')}", f"md5={md5(b'other')}"], ids=["crc32c", "md5"])
def test_a_wrong_hash_in_the_last_chunk(side, bucket, value):
    """Google's client tells the hash of what it has sent."""
    location = side.start(bucket, {"name": "a"})
    side.put(location, b"content", "0-6/7", {"X-Goog-Hash": value}).must(400)
    assert not bucket.blob("a").exists()


@pytest.mark.parametrize("member", ["md5Hash", "crc32c"])
@pytest.mark.parametrize("value", ["?", "AAAA"], ids=["not base64", "short"])
def test_a_hash_that_is_malformed(side, bucket, member, value):
    headers, body = related({"name": "a", member: value}, b"content")
    side.upload(bucket, "multipart", body, headers).must(400)


@pytest.mark.parametrize("checksum", ["md5", "crc32c", "auto", None])
def test_the_hashes_of_googles_client(bucket, checksum):
    content = os.urandom(2 * GRANULE + 1)
    blob = bucket.blob("a")
    blob.upload_from_string(content, checksum=checksum)
    assert blob.download_as_bytes(checksum=checksum) == content
    blob.chunk_size = GRANULE
    blob.upload_from_file(io.BytesIO(content), checksum=checksum)
    assert blob.download_as_bytes(checksum=checksum) == content


# MARK: Downloads

LETTERS = b"abcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def alphabet(bucket):
    return put(bucket, "letters/alphabet", LETTERS, content_type="text/plain")


@pytest.mark.parametrize("start, end, part", [(0, 0, b"a"), (3, 6, b"defg"), (20, None, b"uvwxyz"), (25, 999, b"z")])
def test_a_part(alphabet, start, end, part):
    assert alphabet.download_as_bytes(start=start, end=end) == part


@pytest.mark.parametrize(
    "value, part, place",
    [
        ("bytes=0-2", b"abc", "bytes 0-2/26"),
        ("bytes=24-", b"yz", "bytes 24-25/26"),
        ("bytes=-3", b"xyz", "bytes 23-25/26"),
        ("bytes=-99", LETTERS, "bytes 0-25/26"),
        ("bytes=25-99", b"z", "bytes 25-25/26"),
    ],
)
def test_a_range(side, bucket, alphabet, value, part, place):
    answer = side.download(bucket, alphabet.name, {"Range": value}).must(206)
    assert (answer.data, answer.headers["Content-Range"]) == (part, place)


@pytest.mark.parametrize("value", ["bytes=26-", "bytes=99-100", "bytes=-0"])
def test_a_range_behind_the_end(side, bucket, alphabet, value):
    answer = side.download(bucket, alphabet.name, {"Range": value}).must(416)
    assert answer.headers["Content-Range"] == "bytes */26"


@pytest.mark.parametrize("value", ["bytes=5-3", "lines=0-2", "bytes=x", "bytes="])
def test_a_range_that_is_none(side, bucket, alphabet, value):
    """It is ignored."""
    assert side.download(bucket, alphabet.name, {"Range": value}).must(200).data == LETTERS


def test_a_download_in_chunks(bucket):
    content = os.urandom(3 * GRANULE + 7)
    put(bucket, "a", content)
    blob = bucket.blob("a", chunk_size=GRANULE)
    assert blob.download_as_bytes() == content
    target = io.BytesIO()
    blob.download_to_file(target)
    assert target.getvalue() == content


def test_streams(bucket):
    content = os.urandom(2 * GRANULE + 7)
    with bucket.blob("a").open("wb", chunk_size=GRANULE, ignore_flush=True) as stream:
        for start in range(0, len(content), 100_000):
            stream.write(content[start : start + 100_000])
    with bucket.blob("a").open("rb", chunk_size=GRANULE) as stream:
        assert stream.read(10) == content[:10]
        stream.seek(GRANULE - 5)
        assert stream.read(10) == content[GRANULE - 5 :][:10]
        stream.seek(0)
        assert stream.read() == content
    with bucket.blob("lines").open("w") as stream:
        stream.write("one\nzwö\n")
    with bucket.blob("lines").open("r") as stream:
        assert list(stream) == ["one\n", "zwö\n"]


@pytest.mark.parametrize("door", ["/download/storage/v1", "/storage/v1"])
def test_the_headers_of_a_download(side, bucket, door):
    blob = bucket.blob("a")
    blob.cache_control, blob.content_disposition, blob.content_language = "max-age=60", 'inline; filename="a"', "it"
    blob.upload_from_string(b"content", content_type="image/png")
    headers = side.ask("GET", f"{path(bucket, 'a')}?alt=media", door=door).must().headers
    assert (headers["Content-Type"], headers["Content-Length"]) == ("image/png", "7")
    assert (headers["Cache-Control"], headers["Content-Language"]) == ("max-age=60", "it")
    assert headers["Content-Disposition"] == 'inline; filename="a"'
    assert headers["X-Goog-Generation"] == str(blob.generation)
    found = ",".join(headers.get_all("X-Goog-Hash")).replace(" ", "")
    assert sorted(found.split(",")) == sorted(hashes(b"content").split(","))


def test_further_headers_of_a_download(side, bucket):
    put(bucket, "a")
    headers = side.download(bucket, "a").must().headers
    assert (headers["X-Goog-Metageneration"], headers["X-Goog-Storage-Class"]) == ("1", "STANDARD")
    assert headers["X-Goog-Stored-Content-Length"] == "7" and headers["ETag"] and headers["Last-Modified"]


@pytest.mark.parametrize("address", ["/{}/{}", "/download/storage/v1/b/{}/o/{}?alt=media"], ids=["XML", "JSON"])
def test_the_addresses_of_a_download(side, bucket, address):
    put(bucket, "folder/ä b", b"content")
    target = address.format(bucket.name, encoded("folder/ä b") if "/o/" in address else "folder/%C3%A4%20b")
    assert send(side.host, "GET", target).must().data == b"content"
    head = send(side.host, "HEAD", target).must()
    assert head.data == b"" and head.headers["Content-Length"] == "7"


def test_an_empty_object(side, bucket):
    blob = put(bucket, "empty", b"")
    assert (blob.size, blob.crc32c, blob.md5_hash) == (0, "AAAAAA==", md5(b""))
    assert blob.download_as_bytes() == b""
    side.download(bucket, "empty", {"Range": "bytes=0-"}).must(416)


# MARK: Compressed objects


@pytest.fixture
def compressed(bucket):
    blob = bucket.blob("text.gz")
    blob.content_encoding = "gzip"
    blob.upload_from_string(gzip.compress(b"text " * 1_000), content_type="text/plain")
    return blob


def test_a_compressed_object_with_googles_client(compressed):
    assert compressed.content_encoding == "gzip" and compressed.size < 1_000
    assert compressed.download_as_bytes() == b"text " * 1_000
    assert gzip.decompress(compressed.download_as_bytes(raw_download=True)) == b"text " * 1_000


def test_a_compressed_object_for_clients_that_take_it(side, bucket, compressed):
    answer = side.download(bucket, compressed.name, {"Accept-Encoding": "gzip"}).must()
    assert answer.headers["Content-Encoding"] == "gzip" and gzip.decompress(answer.data) == b"text " * 1_000


def test_a_compressed_object_for_other_clients(side, bucket, compressed):
    """Its content is decompressed, as in production, or its header says that it isn't."""
    answer = side.download(bucket, compressed.name).must()
    is_compressed = answer.headers["Content-Encoding"] == "gzip"
    assert (gzip.decompress(answer.data) if is_compressed else answer.data) == b"text " * 1_000


# MARK: Metadata


def test_a_patch(bucket):
    blob = put(bucket, "a", content_type="text/plain")
    blob.metadata = {"one": "1", "two": "2"}
    blob.content_type, blob.cache_control, blob.content_language = "image/png", "no-store", "it"
    blob.content_disposition = "attachment"
    blob.patch()
    found = bucket.get_blob("a")
    assert found.metadata == {"one": "1", "two": "2"} and found.download_as_bytes() == b"content"
    assert (found.content_type, found.cache_control, found.content_language) == ("image/png", "no-store", "it")
    assert found.content_disposition == "attachment" and found.updated > found.time_created


def test_a_patch_keeps_the_generation(bucket):
    blob = put(bucket, "a")
    generation = blob.generation
    for number in range(2, 5):
        blob.metadata = {"k": str(number)}
        blob.patch()
        assert (blob.generation, blob.metageneration) == (generation, number)


def test_a_patch_merges(side, bucket):
    blob = bucket.blob("a")
    blob.metadata, blob.cache_control = {"one": "1", "two": "2"}, "no-store"
    blob.upload_from_string(b"content", content_type="text/plain")
    answer = side.ask("PATCH", path(bucket, "a"), {"metadata": {"two": "zwei", "three": "3"}}).must()
    assert answer.body["metadata"] == {"one": "1", "two": "zwei", "three": "3"}
    assert (answer.body["contentType"], answer.body["cacheControl"]) == ("text/plain", "no-store")


def test_a_patch_removes_what_is_null(side, bucket):
    blob = bucket.blob("a")
    blob.metadata, blob.cache_control = {"one": "1", "two": "2"}, "no-store"
    blob.upload_from_string(b"content")
    answer = side.ask("PATCH", path(bucket, "a"), {"metadata": {"two": None}, "cacheControl": None}).must()
    assert answer.body["metadata"] == {"one": "1"} and "cacheControl" not in answer.body
    assert "metadata" not in side.ask("PATCH", path(bucket, "a"), {"metadata": None}).must().body


def test_an_update_replaces(side, bucket):
    blob = bucket.blob("a")
    blob.metadata, blob.cache_control = {"one": "1", "two": "2"}, "no-store"
    blob.upload_from_string(b"content", content_type="text/plain")
    answer = side.ask("PUT", path(bucket, "a"), {"contentType": "image/png", "metadata": {"two": "zwei"}}).must()
    assert answer.body["metadata"] == {"two": "zwei"} and answer.body["contentType"] == "image/png"
    assert "cacheControl" not in answer.body


def test_an_update_of_googles_client(bucket):
    blob = put(bucket, "a", content_type="image/png")
    blob.metadata = {"k": "v"}
    blob.update()
    found = bucket.get_blob("a")
    assert found.metadata == {"k": "v"} and found.content_type == "image/png"


def test_what_a_patch_can_not_change(side, bucket):
    blob = put(bucket, "a")
    body = {"size": "1", "crc32c": "AAAAAA==", "md5Hash": md5(b""), "timeCreated": "2020-01-01T00:00:00Z", "name": "b"}
    answer = side.ask("PATCH", path(bucket, "a"), body)
    assert answer.status in (200, 400)
    found = bucket.get_blob("a")
    assert (found.name, found.size, found.crc32c, found.md5_hash) == ("a", 7, blob.crc32c, blob.md5_hash)
    assert found.time_created == blob.time_created and found.download_as_bytes() == b"content"


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'{"metadata": 5}', b'{"metadata": {"a": 5}}', b'{"contentType": {}}'],
    ids=["cut", "list", "number", "number inside", "object"],
)
def test_a_malformed_patch(side, bucket, body):
    put(bucket, "a")
    side.ask("PATCH", path(bucket, "a"), body, {"Content-Type": "application/json"}).must(400)
    assert bucket.get_blob("a").metageneration == 1


def test_partial_responses(side, bucket):
    put(bucket, "a/b", content_type="text/plain")
    assert side.ask("GET", f"{path(bucket, 'a/b')}?fields=name,size").must().body == {"name": "a/b", "size": "7"}
    target = f"/b/{bucket.name}/o?fields=items(name,contentType),prefixes,nextPageToken"
    assert side.ask("GET", target).must().body == {"items": [{"name": "a/b", "contentType": "text/plain"}]}
    assert side.ask("GET", f"/b/{bucket.name}/o?fields=items/name").must().body == {"items": [{"name": "a/b"}]}
    assert side.ask("GET", f"/b/{bucket.name}?fields=name").must().body == {"name": bucket.name}


# MARK: Copies


def test_a_copy(side, bucket):
    blob = bucket.blob("a")
    blob.metadata, blob.cache_control = {"k": "v"}, "no-store"
    blob.upload_from_string(b"content", content_type="image/png")
    other = side.client.create_bucket(f"bucket-{uuid.uuid4().hex}")
    copy = bucket.copy_blob(blob, other, "folder/b ä")
    assert copy.download_as_bytes() == b"content" and copy.generation != blob.generation
    assert (copy.content_type, copy.cache_control, copy.metadata) == ("image/png", "no-store", {"k": "v"})
    # Its source can go.
    blob.delete()
    assert other.blob("folder/b ä").download_as_bytes() == b"content"
    with pytest.raises(NotFound):
        bucket.copy_blob(bucket.blob("none"), other)


def test_a_renamed_object(bucket):
    blob = put(bucket, "a")
    bucket.rename_blob(blob, "b")
    assert names(bucket.list_blobs()) == ["b"] and bucket.blob("b").download_as_bytes() == b"content"


def test_a_rewrite(bucket):
    content = os.urandom(2 * GRANULE)
    blob = put(bucket, "a", content, content_type="image/png")
    copy = bucket.blob("b")
    assert copy.rewrite(blob) == (None, len(content), len(content))
    copy.reload()
    assert (copy.content_type, copy.crc32c, copy.size) == ("image/png", blob.crc32c, blob.size)
    assert copy.download_as_bytes() == content
    with pytest.raises(NotFound):
        bucket.blob("d").rewrite(bucket.blob("none"))


def test_a_rewrite_with_metadata(bucket):
    """The copy has the request's metadata, and nothing of its source's."""
    blob = bucket.blob("a")
    blob.metadata, blob.cache_control = {"one": "1"}, "no-store"
    blob.upload_from_string(b"content")
    copy = bucket.blob("b")
    copy.metadata, copy.content_type = {"k": "v"}, "text/plain"
    copy.rewrite(blob)
    copy.reload()
    assert (copy.content_type, copy.metadata, copy.cache_control) == ("text/plain", {"k": "v"}, None)


def test_a_rewrite_onto_itself(bucket):
    blob = put(bucket, "a")
    blob.rewrite(blob)
    assert bucket.blob("a").download_as_bytes() == b"content"


def test_composition(bucket):
    parts = [put(bucket, f"part-{number:02}", os.urandom(number * 100)) for number in range(32)]
    content = b"".join(part.download_as_bytes() for part in parts)
    whole = bucket.blob("whole")
    whole.content_type = "image/png"
    whole.compose(parts)
    found = bucket.get_blob("whole")
    assert (found.size, found.crc32c, found.content_type) == (len(content), crc32c(content), "image/png")
    assert found.download_as_bytes() == content
    # A composed object is a part, too, also of itself.
    put(bucket, "end", b"end")
    whole.compose([whole, bucket.blob("end")])
    assert bucket.blob("whole").download_as_bytes() == content + b"end"
    assert bucket.get_blob("whole").crc32c == crc32c(content + b"end")


def test_the_metadata_of_a_composition(bucket):
    """The service doesn't know the MD5 hash, which can't be made from those of the parts."""
    parts = [put(bucket, name) for name in ("a", "b")]
    bucket.blob("whole").compose(parts)
    found = bucket.get_blob("whole")
    assert (found.component_count, found.md5_hash) == (2, None)
    bucket.blob("larger").compose([found, parts[0]])
    assert bucket.get_blob("larger").component_count == 3 and bucket.get_blob("a").component_count is None


@pytest.mark.parametrize("count", [0, 33])
def test_a_composition_of_none_or_too_many(side, bucket, count):
    put(bucket, "part")
    body = {"sourceObjects": [{"name": "part"}] * count, "destination": {"contentType": "text/plain"}}
    side.ask("POST", f"{path(bucket, 'whole')}/compose", body).must(400)


def test_a_composition_with_a_missing_part(bucket):
    put(bucket, "part")
    with pytest.raises(NotFound):
        bucket.blob("whole").compose([bucket.blob("part"), bucket.blob("none")])
    assert not bucket.blob("whole").exists()


# MARK: Generations and preconditions


def test_generations(bucket):
    first = put(bucket, "a", b"1")
    second = put(bucket, "a", b"2")
    assert second.generation > first.generation and second.metageneration == 1
    assert bucket.blob("a", generation=second.generation).download_as_bytes() == b"2"
    with pytest.raises(NotFound):
        bucket.blob("a", generation=first.generation).download_as_bytes()
    assert bucket.get_blob("a", generation=first.generation) is None
    second.delete()
    # A generation is never used again.
    assert put(bucket, "a", b"3").generation > second.generation


def test_an_object_that_must_not_exist(bucket):
    put(bucket, "a", b"1", if_generation_match=0)
    with pytest.raises(PreconditionFailed):
        put(bucket, "a", b"2", if_generation_match=0)
    assert bucket.blob("a").download_as_bytes() == b"1"


def test_an_upload_over_a_generation(bucket):
    blob = put(bucket, "a", b"1")
    put(bucket, "a", b"2", if_generation_match=blob.generation)
    with pytest.raises(PreconditionFailed):
        put(bucket, "a", b"3", if_generation_match=blob.generation)
    assert bucket.blob("a").download_as_bytes() == b"2"


def test_other_preconditions_of_an_upload(bucket):
    blob = put(bucket, "a", b"1")
    for condition in ({"if_metageneration_match": 7}, {"if_generation_not_match": blob.generation}):
        with pytest.raises(PreconditionFailed):
            put(bucket, "a", b"2", **condition)
    put(bucket, "a", b"3", if_metageneration_match=1, if_generation_not_match=7)
    assert bucket.blob("a").download_as_bytes() == b"3"


def test_the_form_of_a_failed_precondition(side, bucket):
    put(bucket, "a")
    error = side.ask("DELETE", f"{path(bucket, 'a')}?ifGenerationMatch=1").must(412).body["error"]
    assert (error["code"], error["errors"][0]["reason"]) == (412, "conditionNotMet")


def test_preconditions_of_a_resumable_upload(side, bucket):
    """They hold when the upload ends."""
    location = side.start(bucket, {"name": "a"}, "&ifGenerationMatch=0")
    put(bucket, "a", b"between")
    side.put(location, b"content", "0-6/7").must(412)
    assert bucket.blob("a").download_as_bytes() == b"between"


@pytest.mark.parametrize("door", ["/storage/v1", "/download/storage/v1"], ids=["metadata", "content"])
def test_preconditions_of_a_read(side, bucket, door):
    generation = put(bucket, "a").generation
    for condition, status in [
        (f"ifGenerationMatch={generation}", 200),
        (f"ifGenerationMatch={generation + 1}", 412),
        ("ifGenerationMatch=0", 412),
        (f"ifGenerationNotMatch={generation + 1}", 200),
        ("ifGenerationNotMatch=0", 200),
        (f"ifGenerationNotMatch={generation}", 304),
        ("ifMetagenerationMatch=1", 200),
        ("ifMetagenerationMatch=2", 412),
        ("ifMetagenerationNotMatch=2", 200),
        ("ifMetagenerationNotMatch=1", 304),
    ]:
        kind = "alt=media" if "download" in door else "alt=json"
        answer = side.ask("GET", f"{path(bucket, 'a')}?{kind}&{condition}", door=door)
        assert answer.status == status, condition
        assert status != 304 or answer.data == b""


@pytest.mark.parametrize("value", ["x", "1.5", "9" * 30])
def test_a_condition_that_is_no_number(side, bucket, value):
    put(bucket, "a")
    side.ask("DELETE", f"{path(bucket, 'a')}?ifGenerationMatch={value}").must(400)
    assert bucket.blob("a").exists()


def test_preconditions_of_a_patch(bucket):
    blob = put(bucket, "a")
    for condition in ({"if_metageneration_match": 2}, {"if_generation_match": blob.generation + 1}):
        blob.metadata = {"k": "v"}
        with pytest.raises(PreconditionFailed):
            blob.patch(**condition)
    assert bucket.get_blob("a").metadata is None
    blob.metadata = {"k": "v"}
    blob.patch(if_metageneration_match=1)
    assert bucket.get_blob("a").metadata == {"k": "v"}


def test_preconditions_of_a_copy(bucket):
    blob = put(bucket, "a")
    with pytest.raises(PreconditionFailed):
        bucket.copy_blob(blob, bucket, "b", if_source_generation_match=blob.generation + 1)
    bucket.copy_blob(blob, bucket, "b", if_generation_match=0, if_source_generation_match=blob.generation)
    with pytest.raises(PreconditionFailed):
        bucket.copy_blob(blob, bucket, "b", if_generation_match=0)
    with pytest.raises(PreconditionFailed):
        bucket.blob("b").rewrite(blob, if_source_metageneration_match=2)


def test_preconditions_of_a_composition(bucket):
    part = put(bucket, "part")
    whole = bucket.blob("whole")
    with pytest.raises(PreconditionFailed):
        whole.compose([part], if_source_generation_match=[part.generation + 1])
    whole.compose([part], if_source_generation_match=[part.generation], if_generation_match=0)
    with pytest.raises(PreconditionFailed):
        whole.compose([part], if_generation_match=0)


def test_a_delete(side, bucket):
    put(bucket, "a")
    assert side.ask("DELETE", path(bucket, "a")).status in (200, 204)
    assert not bucket.blob("a").exists() and names(bucket.list_blobs()) == []
    with pytest.raises(NotFound):
        bucket.blob("a").delete()


def test_preconditions_of_a_delete(side, bucket):
    blob = put(bucket, "a")
    for condition in ({"if_generation_match": blob.generation + 1}, {"if_metageneration_match": 2}):
        with pytest.raises(PreconditionFailed):
            blob.delete(**condition)
    assert side.ask("DELETE", f"{path(bucket, 'a')}?ifGenerationMatch={blob.generation}").must(204).data == b""
    assert not bucket.blob("a").exists()


def at_once(work):
    """Runs eight threads, each with its number."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_writers_of_an_object_that_must_not_exist(bucket):
    contents, created = [bytes([number]) * 200 * KIB for number in range(8)], []

    def create(number):
        with contextlib.suppress(PreconditionFailed):
            put(bucket, "new", contents[number], if_generation_match=0)
            created.append(number)

    at_once(create)
    assert len(created) == 1 and bucket.blob("new").download_as_bytes() == contents[created[0]]


def test_writers_of_one_object(bucket):
    contents = [bytes([number]) * 200 * KIB for number in range(8)]
    at_once(lambda number: put(bucket, "same", contents[number]))
    found = bucket.get_blob("same")
    content = found.download_as_bytes()
    assert content in contents and found.crc32c == crc32c(content)


def test_the_last_generation(bucket):
    written = []
    at_once(lambda number: written.append(put(bucket, "same", bytes([number]) * 200 * KIB)))
    last = max(written, key=lambda blob: blob.generation)
    found = bucket.get_blob("same")
    assert len({blob.generation for blob in written}) == 8
    assert (found.generation, found.crc32c) == (last.generation, last.crc32c)


# MARK: Batches


def test_a_batch(side, bucket):
    blobs = [put(bucket, name) for name in ("a", "b ä", "c")]
    with side.client.batch():
        for blob in blobs[:2]:
            blob.metadata = {"k": blob.name}
            blob.patch()
        blobs[2].delete()
    assert [blob.metadata for blob in blobs[:2]] == [{"k": "a"}, {"k": "b ä"}]
    assert names(bucket.list_blobs()) == ["a", "b ä"] and bucket.get_blob("b ä").metadata == {"k": "b ä"}


def test_a_batch_with_an_error(side, bucket):
    """Each of its requests stands for itself."""
    put(bucket, "a")
    with pytest.raises(NotFound):
        with side.client.batch():
            bucket.blob("none").delete()
            bucket.blob("a").delete()
    assert not bucket.blob("a").exists()
    put(bucket, "a")
    with side.client.batch(raise_exception=False) as batch:
        bucket.blob("none").delete()
        bucket.blob("a").delete()
    assert [response.status_code for response in batch._responses] == [404, 204]


def test_deleting_several(bucket):
    for name in ("a", "b", "c"):
        put(bucket, name)
    with pytest.raises(NotFound):
        bucket.delete_blobs(["a", "none"])
    missing = []
    bucket.delete_blobs(["b", "none", "c"], on_error=missing.append)
    assert missing == ["none"] and names(bucket.list_blobs()) == []
