"""The script's two servers, ours and fake-gcs-server, and the fixtures of its tests."""

import contextlib
import uuid

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from storage import peer
from storage.differences import DIFFERENCES, NOT_RUN
from storage.service import HOST, encoded, send

PEER = "fake-gcs-server"


class Side:
    """One of the two servers."""

    def __init__(self, name, host):
        self.name, self.host = name, host
        self.endpoint = f"http://{host}"
        self.client = storage.Client(
            project="demo-worldchat", credentials=AnonymousCredentials(), client_options={"api_endpoint": self.endpoint}
        )
        self.client._http.hooks["response"].append(self.check)

    @staticmethod
    def check(response, **_):
        """Reports an error of the server, which Google's client would hide: it repeats the request for two minutes."""
        assert response.status_code < 500, (response.request.method, response.url, response.text)

    def ask(self, method, path, body=b"", headers=None, door="/storage/v1"):
        return send(self.host, method, f"{door}{path}", body, headers)

    def upload(self, bucket, query, body=b"", headers=None):
        return self.ask("POST", f"/b/{bucket.name}/o?uploadType={query}", body, headers, door="/upload/storage/v1")

    def download(self, bucket, name, headers=None, query=""):
        return self.ask("GET", f"{path(bucket, name)}?alt=media{query}", headers=headers, door="/download/storage/v1")

    def start(self, bucket, metadata, query="", headers=None):
        """Starts a resumable upload, and returns the path to which its content goes."""
        answer = self.upload(bucket, f"resumable{query}", metadata, headers).must()
        assert answer.headers["Location"].startswith(self.endpoint)
        return answer.headers["Location"].removeprefix(self.endpoint)

    def put(self, location, content, place, headers=None):
        """Sends a chunk of a resumable upload. Without content it asks how much has arrived."""
        return send(self.host, "PUT", location, content, {"Content-Range": f"bytes {place}", **(headers or {})})


@pytest.fixture(scope="module", params=["ours", PEER])
def side(request):
    with contextlib.ExitStack() as stack:
        host = HOST if request.param == "ours" else stack.enter_context(peer.running())[1]
        side = Side(request.param, host)
        yield side
        side.client.close()


@pytest.fixture(autouse=True)
def differs(request, side):
    """Expects the test to fail where fake-gcs-server differs."""
    name = request.node.name.replace(f"[{side.name}]", "").replace(f"[{side.name}-", "[")
    for each in (name, request.node.originalname):
        if side.name == PEER and each in DIFFERENCES:
            mark = pytest.mark.xfail(reason=DIFFERENCES[each], strict=True, run=each not in NOT_RUN)
            request.applymarker(mark)
            return


@pytest.fixture
def bucket(side):
    """A new bucket, with Google's client."""
    return side.client.create_bucket(f"bucket-{uuid.uuid4().hex}")


def put(bucket, name, content=b"content", **options):
    blob = bucket.blob(name)
    blob.upload_from_string(content, **options)
    return blob


def names(blobs):
    return [blob.name for blob in blobs]


def path(bucket, name):
    """Returns an object's path in the JSON API."""
    return f"/b/{bucket.name}/o/{encoded(name)}"
