"""Signed URLs (V4), which Google's client makes with the key file of `exec`, in our service and in fake-gcs-server (see
`test_storage_json.py`). A signature decides: whoever has the URL needs no other credentials, and no valid URL, no object.
"""

import datetime
import os
from unittest import mock

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.oauth2 import service_account
from storage.service import GRANULE, send
from storage.sides import bucket, differs, put, side

MINUTE = datetime.timedelta(minutes=1)


def key():
    return service_account.Credentials.from_service_account_file(os.environ["GOOGLE_APPLICATION_CREDENTIALS"])


def signed(side, blob, method="GET", credentials=None, **options):
    """Returns a signed URL's path and query."""
    options = {"expiration": MINUTE, "credentials": credentials or key(), **options}
    url = blob.generate_signed_url(version="v4", method=method, api_access_endpoint=side.endpoint, **options)
    return url.removeprefix(side.endpoint)


def ask(side, target, method="GET", body=b"", headers=None):
    return send(side.host, method, target, body, headers)


def refused(answer, *codes):
    """Checks that a refusal has the name of one of the XML API's codes."""
    assert answer.status in (400, 403, 501), answer
    assert any(code.lower().encode() in answer.data.lower() for code in codes), answer


@pytest.fixture
def blob(bucket):
    return put(bucket, "folder/a ä+%.txt", content_type="text/plain")


def test_a_download(side, blob):
    answer = ask(side, signed(side, blob)).must()
    assert (answer.data, answer.headers["Content-Type"]) == (b"content", "text/plain")
    assert ask(side, signed(side, blob), headers={"Range": "bytes=3-"}).must(206).data == b"tent"
    head = ask(side, signed(side, blob, "HEAD"), "HEAD").must()
    assert (head.data, head.headers["Content-Length"]) == (b"", "7")


def test_the_headers_that_the_url_asks_for(side, blob):
    disposition = 'attachment; filename="a b.txt"'
    target = signed(side, blob, response_disposition=disposition, response_type="text/csv")
    headers = ask(side, target).must().headers
    assert (headers["Content-Disposition"], headers["Content-Type"]) == (disposition, "text/csv")


def test_a_generation(side, bucket, blob):
    assert ask(side, signed(side, blob, generation=blob.generation)).must().data == b"content"
    put(bucket, blob.name, b"new")
    ask(side, signed(side, blob, generation=blob.generation)).must(404)


def test_a_missing_object_with_a_signed_url(side, bucket):
    answer = ask(side, signed(side, bucket.blob("none"))).must(404)
    assert b"NoSuchKey" in answer.data or b"notFound" in answer.data


def test_an_upload_with_a_signed_url(side, bucket):
    target = signed(side, bucket.blob("a b"), "PUT", content_type="image/png")
    ask(side, target, "PUT", b"content", {"Content-Type": "image/png"}).must()
    found = bucket.get_blob("a b")
    assert (found.content_type, found.download_as_bytes()) == ("image/png", b"content")
    # Its content type is a part of what is signed.
    refused(ask(side, target, "PUT", b"other", {"Content-Type": "text/html"}), "SignatureDoesNotMatch")
    refused(ask(side, target, "PUT", b"other"), "SignatureDoesNotMatch", "Malformed")
    assert bucket.blob("a b").download_as_bytes() == b"content"


def test_an_upload_of_any_kind(side, bucket):
    target = signed(side, bucket.blob("a"), "PUT")
    for kind in ("image/png", "text/plain"):
        ask(side, target, "PUT", b"content", {"Content-Type": kind}).must()
        assert bucket.get_blob("a").content_type == kind


def test_an_upload_with_signed_headers(side, bucket):
    headers = {"x-goog-meta-by": "sarah  smith", "x-goog-if-generation-match": "0"}
    target = signed(side, bucket.blob("a"), "PUT", headers=dict(headers))
    ask(side, target, "PUT", b"content", headers).must()
    assert bucket.get_blob("a").metadata == {"by": "sarah  smith"}
    refused(ask(side, target, "PUT", b"other", {**headers, "x-goog-meta-by": "bob"}), "SignatureDoesNotMatch")
    ask(side, target, "PUT", b"other", headers).must(412)
    assert bucket.blob("a").download_as_bytes() == b"content"


def test_a_resumable_upload_with_a_signed_url(side, bucket):
    content = os.urandom(2 * GRANULE + 1)
    target = signed(side, bucket.blob("a"), "RESUMABLE", content_type="image/png")
    headers = {"x-goog-resumable": "start", "Content-Type": "image/png"}
    location = ask(side, target, "POST", b"", headers).must(201).headers["Location"].removeprefix(side.endpoint)
    # The location needs no signature.
    side.put(location, content[:GRANULE], f"0-{GRANULE - 1}/{len(content)}").must(308)
    assert side.put(location, b"", f"*/{len(content)}").must(308).headers["Range"] == f"bytes=0-{GRANULE - 1}"
    side.put(location, content[GRANULE:], f"{GRANULE}-{len(content) - 1}/{len(content)}").must()
    found = bucket.get_blob("a")
    assert found.download_as_bytes() == content and found.content_type == "image/png"


def test_a_deletion(side, bucket, blob):
    ask(side, signed(side, blob, "DELETE"), "DELETE").must(204)
    assert not blob.exists()


@pytest.mark.parametrize("made, used", [("GET", "PUT"), ("GET", "DELETE"), ("PUT", "GET"), ("HEAD", "GET")])
def test_another_method(side, blob, made, used):
    refused(ask(side, signed(side, blob, made), used, b"x" if used == "PUT" else b""), "SignatureDoesNotMatch")
    assert blob.download_as_bytes() == b"content"


@pytest.mark.parametrize("age, expires", [(120, 60), (8 * 86_400, 7 * 86_400)], ids=["minutes", "days"])
def test_an_expired_url(side, blob, age, expires):
    then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=age)
    stamps = then.strftime("%Y%m%dT%H%M%SZ"), then.strftime("%Y%m%d")
    with mock.patch("google.cloud.storage._signing.get_v4_now_dtstamps", return_value=stamps):
        target = signed(side, blob, expiration=datetime.timedelta(seconds=expires))
    refused(ask(side, target), "ExpiredToken")


def test_a_url_of_the_future(side, blob):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    stamps = then.strftime("%Y%m%dT%H%M%SZ"), then.strftime("%Y%m%d")
    with mock.patch("google.cloud.storage._signing.get_v4_now_dtstamps", return_value=stamps):
        target = signed(side, blob)
    refused(ask(side, target), "AccessDenied", "InvalidArgument", "SignatureDoesNotMatch", "ExpiredToken")


@pytest.mark.parametrize(
    "old, new",
    [
        ("folder/", "other/"),
        ("X-Goog-Expires=60", "X-Goog-Expires=6000"),
        ("X-Goog-Date=20", "X-Goog-Date=21"),
        ("&X-Goog-Signature=", "&generation=1&X-Goog-Signature="),
        ("&X-Goog-Signature=", "&X-Goog-Signature=00"),
        ("X-Goog-SignedHeaders=host", "X-Goog-SignedHeaders="),
        ("auto%2Fstorage", "us-east1%2Fstorage"),
        ("GOOG4-RSA-SHA256", "GOOG4-HMAC-SHA256"),
        ("GOOG4-RSA-SHA256", "none"),
    ],
    ids=["name", "time", "date", "more", "signature", "headers", "scope", "HMAC", "none"],
)
def test_a_changed_url(side, bucket, old, new, blob):
    put(bucket, blob.name.replace("folder/", "other/"))
    target = signed(side, blob)
    assert old in target
    codes = "SignatureDoesNotMatch", "AccessDenied", "InvalidArgument", "ExpiredToken", "Malformed", "NotImplemented"
    refused(ask(side, target.replace(old, new)), *codes)


@pytest.mark.parametrize("name", ["Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature"])
def test_a_url_without_a_part(side, blob, name):
    path, query = signed(side, blob).split("?")
    kept = [each for each in query.split("&") if not each.startswith(f"X-Goog-{name}=")]
    codes = "AccessDenied", "InvalidArgument", "AuthenticationRequired", "Malformed", "MissingSecurityHeader", "NotImplemented"
    refused(ask(side, f"{path}?{'&'.join(kept)}"), *codes)


def test_a_url_of_another_key(side, blob):
    other = rsa.generate_private_key(65_537, 2_048)
    pem = other.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    for email in (key().signer_email, "mallory@example.com"):
        information = {"client_email": email, "private_key": pem, "token_uri": "http://127.0.0.1/token"}
        credentials = service_account.Credentials.from_service_account_info(information)
        answer = ask(side, signed(side, blob, credentials=credentials))
        refused(answer, "SignatureDoesNotMatch", "AccessDenied", "InvalidSecurity")
