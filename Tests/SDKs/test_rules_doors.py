"""Security rules on every way to Firestore's data: Google's emulator and ours decide alike, and
Google's client gets the errors."""

import contextlib
import os
import urllib.request
import uuid

import grpc
import pytest
from firestore.listening import Change, ListenRequest, Stream, Watching
from firestore.tokens import unsigned
from firestore.values import fields
from firestore.wire import STREAMING, Error, Server, parse
from google.api_core import exceptions
from google.cloud import firestore
from google.protobuf import json_format
from rules.side import REASON

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents {
    function isAna() { return request.auth.uid == 'ana'; }
    match /c/{id} {
      allow read, write: if isAna();
    }
    match /{path=**}/deep/{id} {
      allow list: if isAna();
    }
    match /own/{id} {
      allow read: if resource == null || resource.data.owner == request.auth.uid;
      allow write;
    }
    match /via/{id} {
      allow read: if get(/databases/$(db)/documents/gates/g).data.isOpen;
    }
  }
}
"""
CALLERS = ("ana", "ben", "nobody", "owner")
# Names that each test replaces by those of its project.
D = "<documents>"
DB = "<database>"
A = f"{D}/c/a"


def query(collection="c", **more):
    return {"parent": D, "structuredQuery": {"from": [{"collectionId": collection, **more}]}}


def commit(*writes, **more):
    return "Commit", {"database": DB, "writes": list(writes), **more}


def set_a(**more):
    return {"update": {"name": A, "fields": fields({"n": 2})}, **more}


COUNT = {"structuredQuery": query()["structuredQuery"], "aggregations": [{"count": {}}]}
# Requests by the door that they go through. `<transaction>` is a transaction of the caller.
DOORS = {
    "get": ("GetDocument", {"name": A}),
    "get a missing document": ("GetDocument", {"name": f"{D}/c/missing"}),
    "get in a transaction": ("GetDocument", {"name": A, "transaction": "<transaction>"}),
    "batch get": ("BatchGetDocuments", {"database": DB, "documents": [A, f"{D}/c/missing"]}),
    "batch get of nothing": ("BatchGetDocuments", {"database": DB, "documents": []}),
    "batch get, one closed": ("BatchGetDocuments", {"database": DB, "documents": [A, f"{D}/x/a"]}),
    "batch get that begins": (
        "BatchGetDocuments",
        {"database": DB, "documents": [A], "newTransaction": {}},
    ),
    "list": ("ListDocuments", {"parent": D, "collectionId": "c"}),
    "list with missing ones": (
        "ListDocuments",
        {"parent": D, "collectionId": "c", "showMissing": True},
    ),
    "query": ("RunQuery", query()),
    "query of a group": ("RunQuery", query("deep", allDescendants=True)),
    "query of a closed group": ("RunQuery", query("c", allDescendants=True)),
    "query of everything": ("RunQuery", query("", allDescendants=True)),
    "query in a transaction": ("RunQuery", query() | {"transaction": "<transaction>"}),
    "query that begins": ("RunQuery", query() | {"newTransaction": {}}),
    "count": ("RunAggregationQuery", {"parent": D, "structuredAggregationQuery": COUNT}),
    "create": ("CreateDocument", {"parent": D, "collectionId": "c", "document": {}}),
    "create an existing one": (
        "CreateDocument",
        {"parent": D, "collectionId": "c", "documentId": "a", "document": {}},
    ),
    "update": ("UpdateDocument", {"document": {"name": A, "fields": {}}}),
    "delete": ("DeleteDocument", {"name": A}),
    "delete a missing one": (
        "DeleteDocument",
        {"name": f"{D}/c/missing", "currentDocument": {"exists": True}},
    ),
    "commit": commit(set_a()),
    "commit of two, one closed": commit(set_a(), {"delete": f"{D}/x/a"}),
    "commit of nothing": commit(),
    "commit a verification": commit({"verify": A, "currentDocument": {"exists": True}}),
    "commit an unmet condition": commit(set_a(currentDocument={"exists": False})),
    "commit a transformation": commit(
        set_a(updateTransforms=[{"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}])
    ),
    "commit two writes to one": commit(set_a(), {"delete": A}),
    "commit a transaction": commit(set_a(), transaction="<transaction>"),
    "begin": ("BeginTransaction", {"database": DB}),
    "roll back": ("Rollback", {"database": DB, "transaction": "<transaction>"}),
    "list collections": ("ListCollectionIds", {"parent": D}),
    "batch write": ("BatchWrite", {"database": DB, "writes": [set_a()]}),
}


class Side:
    """An emulator, with a new project under the rules for each test."""

    def __init__(self, address):
        self.server = Server(address)
        self.begin()

    def begin(self):
        self.project = f"demo-doors-{uuid.uuid4().hex[:12]}"
        self.database = f"projects/{self.project}/databases/(default)"
        self.set_rules(RULES)

    def set_rules(self, text):
        body = json_of({"rules": {"files": [{"name": "security.rules", "content": text}]}})
        url = f"http://{self.server.address}/emulator/v1/projects/{self.project}:securityRules"
        headers = {"Content-Type": "application/json"}
        urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT")).read()

    def caller(self, name):
        """Returns the Authorization header of a caller, or None."""
        if name == "nobody":
            return None
        return f"Bearer {name if name == 'owner' else unsigned(name, self.project)}"

    def set(self, **documents):
        """Replaces documents, whose paths have two underscores instead of slashes."""
        for path, content in documents.items():
            name = f"{self.database}/documents/{path.replace('__', '/')}"
            done = self.ask(commit({"update": {"name": name, "fields": fields(content)}}), "owner")
            assert not isinstance(done, Error), done

    def ask(self, door, caller, over_rest=False):
        """Returns the answer to a request of `DOORS`."""
        method, request = door
        if "<transaction>" in str(request):
            begun = self.ask(DOORS["begin"], caller)
            request = {**request, "transaction": begun[0]["transaction"]}
            answer = self.ask((method, request), caller, over_rest)
            self.roll_back(begun)
            return answer
        request = self.named(request)
        if over_rest:
            return self.server.ask_rest(method, request, self.caller(caller))
        metadata = [("authorization", self.caller(caller))] if caller != "nobody" else []
        try:
            answer = self.server.call(method)(parse(method, request), metadata=metadata, timeout=60)
            messages = list(answer) if method in STREAMING else [answer]
        except grpc.RpcError as error:
            return Error(error.code().name, error.details())
        return [json_format.MessageToDict(each) for each in messages]

    def roll_back(self, answer):
        """Ends the transaction that a request has begun, if any, and its locks."""
        if not isinstance(answer, Error) and answer and "transaction" in answer[0]:
            request = {"database": DB, "transaction": answer[0]["transaction"]}
            self.ask(("Rollback", request), "owner")

    def named(self, part):
        """Returns a part of a request with the names of this project."""
        if isinstance(part, dict):
            return {key: self.named(each) for key, each in part.items()}
        if isinstance(part, list):
            return [self.named(each) for each in part]
        if isinstance(part, str):
            return part.replace(D, f"{self.database}/documents").replace(DB, self.database)
        return part

    @contextlib.contextmanager
    def listening(self, caller):
        with contextlib.closing(Listening(self, caller)) as stream:
            yield stream

    def client(self, caller):
        """Returns Google's client for a user."""
        client = firestore.Client(project=self.project)
        # The client itself sends the owner's token to emulators.
        client._rpc_metadata_internal = [
            ("google-cloud-resource-prefix", self.database),
            ("authorization", self.caller(caller)),
        ]
        return client


class Listening(Stream):
    """A user's stream, with its responses as texts."""

    def __init__(self, side, caller):
        self.side = side
        super().__init__(side.server.channel, side.database, authorization=side.caller(caller))

    def add(self, number, target):
        request = {"database": self.database, "addTarget": {**self.side.named(target), "targetId": number}}
        self.requests.put(json_format.ParseDict(request, ListenRequest()))

    def heard(self):
        """Returns the responses up to the next snapshot or the end of a target."""
        said = []
        while True:
            said.append(words(self.next()))
            if said[-1] == "snapshot" or said[-1].startswith("REMOVE"):
                return said


def words(response):
    if response.HasField("document_change"):
        change = response.document_change
        return f"+{change.document.name.split('/')[-1]} {[*change.target_ids]}"
    if response.HasField("document_delete"):
        change = response.document_delete
        return f"!{change.document.split('/')[-1]} {[*change.removed_target_ids]}"
    if response.HasField("document_remove"):
        change = response.document_remove
        return f"<{change.document.split('/')[-1]} {[*change.removed_target_ids]}"
    change = response.target_change
    kind = Change.TargetChangeType.Name(change.target_change_type)
    if kind == "NO_CHANGE":
        return "snapshot"
    cause = f" {change.cause.code} {sorted(reasons(change.cause.message))}" if change.cause.code else ""
    return f"{kind} {[*change.target_ids]}{cause}"


def documents(*paths):
    return {"documents": {"documents": [f"{D}/{path}" for path in paths]}}


def collection(name):
    return {"query": query(name)}


def json_of(content):
    return json_format.json.dumps(content).encode()


def reasons(message):
    """Returns the reasons of a denial, without those of an evaluation before the document is read.
    """
    found = {(text.strip(), method, line) for text, method, line in REASON.findall(message)}
    if not found:
        return {message}
    return {" ".join(each) for each in found if not each[0].startswith("evaluation error at")}


def outcome(answer):
    """Returns what is compared of an answer: the code and, of a denial, the reasons."""
    if not isinstance(answer, Error):
        return "OK", set()
    return answer.code, reasons(answer.message) if answer.code == "PERMISSION_DENIED" else set()


@pytest.fixture
def both(sides):
    for side in sides:
        side.begin()
    return sides


@pytest.fixture
def ours():
    side = Side(os.environ["FIRESTORE_EMULATOR_HOST"])
    yield side
    side.server.close()


@pytest.mark.parametrize("over_rest", [False, True], ids=["grpc", "rest"])
@pytest.mark.parametrize("door", DOORS)
def test_doors(both, door, over_rest):
    # Google's emulator doesn't answer the first, and lacks the second.
    if over_rest and door in ("get in a transaction", "commit a verification"):
        return
    for caller in CALLERS:
        if over_rest and caller == "nobody":
            continue
        outcomes = []
        for side in both:
            side.set(c__a={"n": 1}, x__a={"n": 1})
            answer = side.ask(DOORS[door], caller, over_rest)
            outcomes.append(outcome(answer))
            side.roll_back(answer)
        (code, theirs), (own_code, own) = outcomes
        assert own_code == code, (caller, own)
        # Google's reasons also name statements about other methods and documents of the request.
        assert own <= theirs or "one closed" in door, caller


def test_denials_have_no_effect(ours):
    ours.set(c__a={"n": 1})
    before = ours.ask(DOORS["get"], "owner")
    for door, request in DOORS.items():
        if "nothing" in door or door in ("begin", "roll back"):
            continue
        code, _ = outcome(ours.ask(request, "ben"))
        assert code == "PERMISSION_DENIED", door
    assert ours.ask(DOORS["get"], "owner") == before
    (listed,) = ours.ask(DOORS["list"], "owner")
    assert len(listed["documents"]) == 1


@pytest.mark.parametrize(
    "target",
    [documents("c/a"), documents("x/a"), collection("c"), collection("x"), documents("own/a")],
    ids=["document", "closed document", "query", "closed query", "own document"],
)
@pytest.mark.parametrize("caller", CALLERS)
def test_targets(both, caller, target):
    heard = []
    for side in both:
        side.set(c__a={"n": 1}, x__a={"n": 1}, own__a={"owner": "ana"})
        with side.listening(caller) as stream:
            stream.add(1, target)
            heard.append(stream.heard())
    assert heard[1] == heard[0]


def test_a_document_changes_owners(both):
    heard = []
    for side in both:
        side.set(own__a={"owner": "ana"}, c__a={"n": 1})
        with side.listening("ana") as stream:
            stream.add(1, documents("own/a"))
            said = stream.heard()
            stream.add(2, documents("c/a"))
            said += stream.heard()
            side.set(own__a={"owner": "ben", "secret": "s"})
            said += stream.heard()
            side.set(c__a={"n": 2})
            said += stream.heard()
            stream.add(1, documents("own/a"))
            said += stream.heard()
            heard.append(said)
    assert heard[1] == heard[0]
    assert heard[1][-4:-2] == ["+a [2]", "snapshot"]


def test_a_gate_closes(ours):
    """Google's emulator decides anew only when the target's own documents change."""
    ours.set(gates__g={"isOpen": True}, via__a={"n": 1})
    with ours.listening("ana") as stream:
        for number, target in enumerate((documents("via/a"), collection("via")), 1):
            stream.add(number, target)
            assert stream.heard()[-1] == "snapshot"
        ours.set(gates__g={"isOpen": False})
        removed = stream.heard() + stream.heard()
        assert [each.split(" 7 ")[0] for each in sorted(removed)] == ["REMOVE [1]", "REMOVE [2]"]
        ours.set(via__a={"secret": "s"}, c__a={"n": 3})
        stream.add(3, documents("c/a"))
        assert stream.heard() == ["ADD [3]", "+a [3]", "CURRENT [3]", "snapshot"]


def test_rules_change_while_clients_listen(ours):
    with ours.listening("ana") as stream:
        stream.add(1, collection("c"))
        assert stream.heard()[-1] == "snapshot"
        ours.set_rules(RULES.replace("'ana'", "'ben'"))
        assert stream.heard() == ["REMOVE [1] 7 [\"false list 6\"]".replace('"', "'")]
        ours.set_rules(RULES)
        stream.add(1, collection("c"))
        assert stream.heard()[-1] == "snapshot"


# Google's client


def test_client_reads_and_writes(ours):
    ours.set(c__a={"n": 1})
    ana, ben = ours.client("ana"), ours.client("ben")
    assert ana.document("c/a").get().to_dict() == {"n": 1}
    ana.document("c/a").update({"n": firestore.Increment(1)})
    assert [each.id for each in ana.collection("c").stream()] == ["a"]
    assert ana.collection("c").count().get()[0][0].value == 1
    assert in_transaction(ana) == 2

    attempts = [
        lambda: ben.document("c/a").get(),
        lambda: ben.document("c/a").set({"n": 9}),
        lambda: ben.document("c/new").create({"n": 9}),
        lambda: ben.document("c/a").delete(),
        lambda: list(ben.collection("c").stream()),
        lambda: ben.collection("c").count().get(),
        lambda: list(ben.get_all([ben.document("c/a"), ben.document("own/x")])),
        lambda: batch(ben),
        lambda: in_transaction(ben),
        lambda: list(ben.collections()),
    ]
    for number, attempt in enumerate(attempts):
        with pytest.raises(exceptions.PermissionDenied):
            attempt()
            raise AssertionError(f"attempt {number} is allowed")
    assert ana.document("c/a").get().to_dict() == {"n": 3}


def batch(client):
    made = client.batch()
    made.set(client.document("own/x"), {"n": 9})
    made.set(client.document("c/a"), {"n": 9})
    made.commit()


def in_transaction(client):
    @firestore.transactional
    def add(transaction):
        document = client.document("c/a")
        count = document.get(transaction=transaction).get("n")
        transaction.update(document, {"n": count + 1})
        return count

    return add(client.transaction())


def test_client_loses_a_document(ours):
    ours.set(own__a={"owner": "ana"})
    document = ours.client("ana").document("own/a")
    with Watching(document) as watching:
        watching.until(lambda found: [each.get("owner") for each in found] == ["ana"])
        consumer = watching.watch._consumer._thread
        ours.set(own__a={"owner": "ben", "secret": "s"})
        # The client ends the listener with the error.
        consumer.join(60)
        assert not consumer.is_alive()
        assert all(each.get("owner") == "ana" for found, _ in watching.snapshots for each in found)


def test_client_is_refused(ours):
    with Watching(ours.client("ben").collection("c")) as watching:
        consumer = watching.watch._consumer._thread
        consumer.join(60)
        assert not consumer.is_alive()
        assert watching.snapshots == []
