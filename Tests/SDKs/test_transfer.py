"""Documents of every type through both export formats, and through Google's own emulator.

`make soak` takes a hundred thousand. This test takes some hundred.
"""

import http.client
import json
import os

import pytest
from firestore import peer
from firestore.documents import documents
from firestore.signed_in import authorization
from firestore.wire import Server, message_type, parse

COUNT = int(os.environ.get("DOCUMENTS", "500"))
PROJECT = os.environ.get("GOOGLE_CLOUD_PROJECT", "demo-test")
LIMIT_SECONDS = 1_200
BATCH_BYTES = 4 << 20
BATCH = 400


def post(address, path, body):
    """Returns the JSON answer to a request."""
    connection = http.client.HTTPConnection(address, timeout=LIMIT_SECONDS)
    try:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read() or b"{}")
    finally:
        connection.close()
    assert response.status == 200, answer
    return answer


def write(server, database, made):
    commit, _ = message_type("Commit")
    request = commit(database=database)
    for each in made:
        request.writes.add().update.CopyFrom(each)
        if len(request.writes) >= BATCH or request.ByteSize() >= BATCH_BYTES:
            server.send("Commit", request)
            request = commit(database=database)
    server.send("Commit", request)


def read(server, database):
    """Returns every document: its fields as bytes, by its path."""
    root = f"{database}/documents"
    everything = {"structuredQuery": {"from": [{"allDescendants": True}]}}
    request = parse("RunQuery", {"parent": root, **everything})
    call = server.call("RunQuery")
    found = {}
    metadata = [("authorization", authorization(root))]
    for answer in call(request, metadata=metadata, timeout=LIMIT_SECONDS):
        if answer.HasField("document"):
            name = answer.document.name.removeprefix(f"{root}/")
            answer.document.ClearField("name")
            answer.document.ClearField("create_time")
            answer.document.ClearField("update_time")
            found[name] = answer.document.SerializeToString(deterministic=True)
    return found


def same(here, there):
    """Checks that both databases have the same documents, and names those that differ."""
    different = [name for name in here.keys() | there.keys() if here.get(name) != there.get(name)]
    assert not different, [
        (name, here.get(name), there.get(name)) for name in sorted(different)[:3]
    ]


class Ours:
    def __init__(self):
        self.server = Server(os.environ["FIRESTORE_EMULATOR_HOST"])
        self.hub = os.environ["FIREBASE_EMULATOR_HUB"]

    def database(self, what):
        return f"projects/{PROJECT}/databases/{what}{os.getpid()}"

    def write_to(self, database, seed):
        write(self.server, database, documents(seed, COUNT, f"{database}/documents"))
        found = read(self.server, database)
        assert len(found) == COUNT
        return found

    def export(self, database, path, **more):
        databases = [database.split("/")[-1]]
        answer = post(
            self.hub, "/_admin/export", {"path": str(path), "databases": databases, **more}
        )
        assert answer["databases"] == [{"database": databases[0], "documents": COUNT}]

    def load(self, path, database):
        answer = post(
            self.hub, "/_admin/import", {"path": str(path), "database": database.split("/")[-1]}
        )
        assert answer["databases"][0]["documents"] == COUNT


@pytest.fixture
def ours():
    made = Ours()
    yield made
    for what in ("from", "to"):
        made.server.clear(made.database(what))
    made.server.close()


@pytest.mark.parametrize("format", ["ndjson", "google"])
def test_our_own_export_and_import(ours, tmp_path, format):
    origin, target = ours.database("from"), ours.database("to")
    written = ours.write_to(origin, seed=1)
    ours.export(origin, tmp_path / "export", format=format)
    ours.load(tmp_path / "export", target)
    same(written, read(ours.server, target))


def test_through_googles_emulator(ours, tmp_path):
    origin, target = ours.database("from"), ours.database("to")
    written = ours.write_to(origin, seed=2)
    # Firebase's tools send such a request, without databases.
    ours.export(origin, tmp_path / "ours", initiatedBy="test", targets=["firestore"])
    metadata = json.loads((tmp_path / "ours/firebase-export-metadata.json").read_text())
    seed = tmp_path / "ours" / metadata["firestore"]["metadata_file"]
    with peer.running(f"--seed_from_export={seed}") as google:
        server = Server(google)
        same(written, read(server, origin))
        post(
            google,
            f"/emulator/v1/projects/{PROJECT}:export",
            {"database": origin, "export_directory": str(tmp_path), "export_name": "google"},
        )
        server.close()
    ours.load(tmp_path / "google", target)
    same(written, read(ours.server, target))


def test_the_export_route_of_googles_emulator(ours, tmp_path):
    """Google's tools export from Google's emulator by this route."""
    origin, target = ours.database("from"), ours.database("to")
    written = ours.write_to(origin, seed=3)
    answer = post(
        ours.server.address,
        f"/emulator/v1/projects/{PROJECT}:export",
        {"database": origin, "export_directory": str(tmp_path), "export_name": "made"},
    )
    assert answer == {}
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        "all_namespaces",
        "made.overall_export_metadata",
    ]
    ours.load(tmp_path / "made/made.overall_export_metadata", target)
    same(written, read(ours.server, target))
