"""Clients that the environment of `exec` alone leads to our service: firebase-admin's module `storage`, Google's client."""

import os
import urllib.request
import uuid

import firebase_admin
import pytest
from firebase_admin import credentials
from firebase_admin import storage as admin
from google.cloud import storage

PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]


@pytest.fixture
def bucket():
    """The project's default bucket, which exists from the start."""
    key = credentials.Certificate(os.environ["GOOGLE_APPLICATION_CREDENTIALS"])
    options = {"storageBucket": f"{PROJECT}.appspot.com"}
    app = firebase_admin.initialize_app(key, options, name=uuid.uuid4().hex)
    yield admin.bucket(app=app)
    firebase_admin.delete_app(app)


def test_firebase_admin(bucket):
    name = f"{uuid.uuid4().hex}/ä.txt"
    assert bucket.exists()
    blob = bucket.blob(name)
    blob.upload_from_string("content")
    assert [each.name for each in bucket.list_blobs(prefix=name)] == [name]
    assert bucket.blob(name).download_as_text() == "content"
    with urllib.request.urlopen(blob.generate_signed_url(expiration=60, version="v4")) as answer:
        assert answer.read() == b"content"
    blob.delete()
    assert not blob.exists()


def test_google_clients_without_options():
    client = storage.Client()
    assert f"{PROJECT}.appspot.com" in [bucket.name for bucket in client.list_buckets()]
    blob = client.bucket(f"{PROJECT}.appspot.com").blob(uuid.uuid4().hex)
    blob.upload_from_string(b"content")
    assert blob.download_as_bytes() == b"content"
    assert os.environ["STORAGE_EMULATOR_HOST"] == f"http://{os.environ['FIREBASE_STORAGE_EMULATOR_HOST']}"
    client.close()
