"""The messages of Shared/FirestoreProtos equal those of Google's own client."""

from pathlib import Path

from google.cloud.firestore_v1.types import firestore
from google.protobuf import descriptor_pb2, descriptor_pool
from google.rpc import status_pb2
import grpc_tools
from grpc_tools import protoc

PROTOS = Path(__file__).parents[2] / "Shared/FirestoreProtos/Protos"
PACKAGE = "google.firestore.v1"


def ours(folder):
    """Returns the messages of our files by name, as protoc understands them."""
    result = folder / "protos.pb"
    files = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
    included = Path(grpc_tools.__file__).parent / "_proto"
    arguments = ["", f"-I{PROTOS}", f"-I{included}", "--include_imports", f"-o{result}", *files]
    assert protoc.main(arguments) == 0
    pool = descriptor_pool.DescriptorPool()
    names = {}
    for file in descriptor_pb2.FileDescriptorSet.FromString(result.read_bytes()).file:
        pool.Add(file)
        names[file.name] = file
    found = {}
    for name in names:
        for message in pool.FindFileByName(name).message_types_by_name.values():
            collect(message, found)
    return found


def theirs():
    """Returns the messages that the client knows: those reachable from the service's requests and
    responses."""
    found = {}
    for name in dir(firestore):
        if hasattr(getattr(firestore, name), "pb"):
            collect(getattr(firestore, name).pb().DESCRIPTOR, found)
    collect(status_pb2.Status.DESCRIPTOR, found)
    return found


def collect(message, found):
    if message.full_name in found:
        return
    found[message.full_name] = message
    for nested in message.nested_types:
        collect(nested, found)
    for field in message.fields:
        if field.message_type:
            collect(field.message_type, found)


def shape(message):
    """Returns everything that decides how a message is encoded, in binary and in JSON.

    The client writes `from_` for a field whose name is a word of Python.
    """
    return {
        field.name.rstrip("_"): {
            "number": field.number,
            "type": field.type,
            "repeated": field.is_repeated,
            "packed": field.is_packed,
            "presence": field.has_presence,
            "json": field.json_name.rstrip("_"),
            "oneof": field.containing_oneof and field.containing_oneof.name,
            "message": field.message_type and field.message_type.full_name,
            "enum": field.enum_type
            and (field.enum_type.full_name, [(v.name, v.number) for v in field.enum_type.values]),
        }
        for field in message.fields
    }


def test_every_message_has_the_fields_of_googles_client(tmp_path):
    known = ours(tmp_path)
    compared = 0
    for name, message in theirs().items():
        mine = shape(known[name])
        if name == f"{PACKAGE}.Write":
            # A field that the mobile and web clients send although no published file has it.
            assert mine.pop("verify")["number"] == 5
        assert mine == shape(message), name
        compared += 1
    assert compared > 90


def test_no_message_is_ours_alone(tmp_path):
    known, published = ours(tmp_path), theirs()
    assert {name for name in known if name.startswith(f"{PACKAGE}.")} - published.keys() == set()
