"""Firestore's protocol without a client library: every request is sent as it is.

A request is the JSON form of its protobuf message, so that the same one can be sent over gRPC and
REST. An answer is a list of messages in the same form, or an `Error`.
"""

import http.client
import json
import urllib.parse
from dataclasses import dataclass

import grpc
from firestore import signed_in
from google.cloud.firestore_v1.types import document, firestore
from google.protobuf import empty_pb2, json_format

SERVICE = "/google.firestore.v1.Firestore/"
STREAMING = {"BatchGetDocuments", "RunQuery", "RunAggregationQuery"}
# The default caller of requests: the administrator, as with all server SDKs, or the run's user.
CALLER = "the caller"
LIMIT_SECONDS = 300

METHODS = {
    "GetDocument": (firestore.GetDocumentRequest, document.Document),
    "ListDocuments": (firestore.ListDocumentsRequest, firestore.ListDocumentsResponse),
    "CreateDocument": (firestore.CreateDocumentRequest, document.Document),
    "UpdateDocument": (firestore.UpdateDocumentRequest, document.Document),
    "DeleteDocument": (firestore.DeleteDocumentRequest, None),
    "BatchGetDocuments": (
        firestore.BatchGetDocumentsRequest,
        firestore.BatchGetDocumentsResponse,
    ),
    "BeginTransaction": (firestore.BeginTransactionRequest, firestore.BeginTransactionResponse),
    "Commit": (firestore.CommitRequest, firestore.CommitResponse),
    "Rollback": (firestore.RollbackRequest, None),
    "RunQuery": (firestore.RunQueryRequest, firestore.RunQueryResponse),
    "RunAggregationQuery": (
        firestore.RunAggregationQueryRequest,
        firestore.RunAggregationQueryResponse,
    ),
    "PartitionQuery": (firestore.PartitionQueryRequest, firestore.PartitionQueryResponse),
    "ListCollectionIds": (
        firestore.ListCollectionIdsRequest,
        firestore.ListCollectionIdsResponse,
    ),
    "BatchWrite": (firestore.BatchWriteRequest, firestore.BatchWriteResponse),
}


@dataclass(frozen=True)
class Error:
    """A status other than OK: the name of its code, and the message."""

    code: str
    message: str


def header(caller, method, request, shows_missing):
    """Returns the Authorization header of a caller for a request."""
    if caller is not CALLER:
        return caller
    return signed_in.authorization(str(request), method, shows_missing)


def message_type(method):
    """Returns the protobuf classes of a method's request and response."""
    request, answer = METHODS[method]
    return request.pb(), answer.pb() if answer else empty_pb2.Empty


def parse(method, request):
    """Returns the request as a protobuf message."""
    request, verified = without_verify(request)
    message = json_format.ParseDict(request, message_type(method)[0]())
    for index, name in verified.items():
        # A field of the clients' own copy of the protocol: number 5, a string.
        encoded = name.encode()
        message.writes[index].MergeFromString(b"\x2a" + varint(len(encoded)) + encoded)
    return message


def without_verify(request):
    writes = request.get("writes", [])
    verified = {index: each["verify"] for index, each in enumerate(writes) if "verify" in each}
    if not verified:
        return request, {}
    kept = [{key: part for key, part in each.items() if key != "verify"} for each in writes]
    return request | {"writes": kept}, verified


def varint(number):
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


class Server:
    """A Firestore at `host:port`, with one gRPC channel and one HTTP connection."""

    def __init__(self, address):
        self.address = address
        limits = [(f"grpc.max_{way}_message_length", -1) for way in ("send", "receive")]
        # Channels with equal arguments would share a connection. Two servers or threads must not do
        # so.
        self.channel = grpc.insecure_channel(
            address, options=[*limits, ("grpc.use_local_subchannel_pool", 1)]
        )
        self.calls = {}

    def close(self):
        self.channel.close()

    def call(self, method):
        """Returns the callable of a method, which takes and returns protobuf messages."""
        if method not in self.calls:
            request, answer = message_type(method)
            make = self.channel.unary_stream if method in STREAMING else self.channel.unary_unary
            self.calls[method] = make(
                SERVICE + method,
                request_serializer=request.SerializeToString,
                response_deserializer=answer.FromString,
            )
        return self.calls[method]

    def send(self, method, message, authorization=CALLER):
        """Returns the messages of the response; raises `grpc.RpcError`."""
        shows_missing = getattr(message, "show_missing", False)
        metadata = [("authorization", header(authorization, method, message, shows_missing))]
        answer = self.call(method)(message, metadata=metadata, timeout=LIMIT_SECONDS)
        return list(answer) if method in STREAMING else [answer]

    def ask(self, method, request, authorization=CALLER):
        """Returns the answer to a request in JSON form, over gRPC."""
        try:
            answer = self.send(method, parse(method, request), authorization)
        except grpc.RpcError as error:
            return Error(error.code().name, error.details())
        return [json_format.MessageToDict(each) for each in answer]

    def ask_rest(self, method, request, authorization=CALLER):
        """Returns the answer to the same request over HTTP."""
        verb, path, body = rest_request(method, request)
        credential = header(authorization, method, request, request.get("showMissing", False))
        host, port = self.address.rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=LIMIT_SECONDS)
        try:
            connection.request(
                verb,
                path,
                body=json.dumps(body) if body is not None else None,
                headers={"Authorization": credential, "Content-Type": "application/json"},
            )
            response = connection.getresponse()
            body = response.read()
        finally:
            connection.close()
        try:
            answer = json.loads(body or b"{}")
        except ValueError:
            return Error(f"HTTP {response.status}", "")
        if response.status != 200:
            # A streaming method may put its error into a list of one.
            error = (answer[0] if isinstance(answer, list) else answer)["error"]
            return Error(error.get("status", ""), error.get("message", ""))
        return answer if method in STREAMING else [answer]

    def clear(self, database):
        """Removes every document of a database."""
        host, port = self.address.rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=LIMIT_SECONDS)
        connection.request("DELETE", f"/emulator/v1/{database}/documents")
        connection.getresponse().read()
        connection.close()


def rest_request(method, request):
    """Returns method, path and body of a request over HTTP."""
    rest = dict(request)
    query = {}

    def named(key, *others):
        for name in (key, *others):
            if name in rest:
                query[name] = rest.pop(name)

    def path(name, verb=""):
        parameters = urllib.parse.urlencode(query, doseq=True, quote_via=urllib.parse.quote)
        return f"/v1/{urllib.parse.quote(name)}{verb}" + (f"?{parameters}" if parameters else "")

    def masks(*keys):
        for key in keys:
            if key in rest:
                query[f"{key}.fieldPaths"] = rest.pop(key).get("fieldPaths", [])

    def precondition():
        for key, value in rest.pop("currentDocument", {}).items():
            query[f"currentDocument.{key}"] = str(value).lower() if key == "exists" else value

    if method == "GetDocument":
        named("transaction", "readTime")
        masks("mask")
        return "GET", path(rest["name"]), None
    if method == "ListDocuments":
        named("pageSize", "pageToken", "orderBy", "transaction", "readTime")
        if rest.get("showMissing"):
            query["showMissing"] = "true"
        masks("mask")
        return "GET", path(f"{rest['parent']}/{rest['collectionId']}"), None
    if method == "CreateDocument":
        named("documentId")
        masks("mask")
        return "POST", path(f"{rest['parent']}/{rest['collectionId']}"), rest.get("document", {})
    if method == "UpdateDocument":
        masks("mask", "updateMask")
        precondition()
        return "PATCH", path(rest["document"]["name"]), rest["document"]
    if method == "DeleteDocument":
        precondition()
        return "DELETE", path(rest["name"]), None
    verbs = {"BatchGetDocuments": "batchGet"}
    verb = ":" + verbs.get(method, method[0].lower() + method[1:])
    if "database" in rest:
        return "POST", path(rest.pop("database") + "/documents", verb), rest
    return "POST", path(rest.pop("parent"), verb), rest
