"""Random documents with every type of value and every kind of id. A seed always makes the same
ones."""

import random
import struct

from google.cloud.firestore_v1.types import document
from google.protobuf import struct_pb2

DOCUMENT = document.Document.pb()
VALUE = document.Value.pb()

IDS = [
    "a", "é", "e\u0301", "__id7__", "__id-7__", "__id9223372036854775807__", "new\nline", "tab\t",
    "quote\"back\\slash", "\0nul", "😀", "\u2028", " ", "a.b", "%2F", "*", "`", "x" * 1000,
]
NAMES = ["a", "b.c", "é", "`", " ", "\\", '"', "\n", "__a", "fields", "😀", "n" * 300]
STRINGS = ["", "a", "a\0b", "é", "e\u0301", "😀", "\u2028\n\r\t\x7f\ufeff", "z" * 1600]
INTEGERS = [0, -1, 2**63 - 1, -(2**63), 7]
DOUBLES = [float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 1.5, 1e300, 5e-324, 0.1, 2.0**63]
# Seconds and nanoseconds.
TIMES = [(-62135596800, 0), (253402300799, 999999000), (-1, 999999000), (0, 1000), (1, 0)]


def value(dice, root, depth=0):
    """Returns a random value. From a certain depth, it is neither a map nor an array."""
    kind = dice.randrange(13 if depth < 4 else 9)
    if kind == 0:
        return VALUE(null_value=struct_pb2.NULL_VALUE)
    if kind == 1:
        return VALUE(boolean_value=dice.random() < 0.5)
    if kind == 2:
        return VALUE(integer_value=dice.choice([*INTEGERS, dice.getrandbits(63)]))
    if kind == 3:
        double = struct.unpack("<d", struct.pack("<Q", dice.getrandbits(64)))[0]
        return VALUE(double_value=dice.choice([*DOUBLES, double if double == double else 1.0]))
    if kind == 4:
        seconds, nanos = dice.choice(TIMES)
        return VALUE(timestamp_value={"seconds": seconds, "nanos": nanos})
    if kind == 5:
        return VALUE(string_value=dice.choice(STRINGS))
    if kind == 6:
        return VALUE(bytes_value=dice.choice([b"", bytes(range(256)), b"\7" * 1600]))
    if kind == 7:
        path = dice.choice(["c/7", "c/__id3__", "a/b/c/new\nline"])
        other = "projects/other/databases/second/documents"
        return VALUE(reference_value=f"{dice.choice([root, other])}/{path}")
    if kind == 8:
        return VALUE(
            geo_point_value={
                "latitude": dice.choice([-90.0, 90.0, 0.1]),
                "longitude": dice.choice([-180.0, 180.0, -0.2]),
            }
        )
    result = VALUE()
    if kind == 9:
        result.map_value.fields["__type__"].string_value = "__vector__"
        for _ in range(dice.randint(1, 4)):
            number = result.map_value.fields["value"].array_value.values.add()
            number.double_value = dice.choice([1.5, -2.0, 0.0])
    elif kind == 10:
        # Marks the value as a map, even without fields.
        result.map_value.SetInParent()
        fill(result.map_value.fields, dice, root, depth + 1)
    else:
        result.array_value.SetInParent()
        for _ in range(dice.randrange(4)):
            element = value(dice, root, depth + 1)
            if element.WhichOneof("value_type") == "array_value":
                result.array_value.values.add().map_value.fields["inner"].CopyFrom(element)
            elif "__type__" not in element.map_value.fields:
                result.array_value.values.append(element)
    return result


def fill(fields, dice, root, depth=0):
    for _ in range(dice.randrange(6)):
        fields[dice.choice(NAMES)].CopyFrom(value(dice, root, depth))


def documents(seed, count, root):
    """Returns documents with distinct names below a root."""
    dice = random.Random(seed)
    paths = set()
    while len(paths) < count:
        number = len(paths)
        path = f"{dice.choice(['c', 'é', 'x y'])}/d{number}"
        if dice.random() < 0.3:
            path = f"c/{dice.choice(IDS)}"
        if dice.random() < 0.25:
            path += f"/sub/{dice.choice([*IDS, f's{number}'])}"
        if path in paths:
            continue
        paths.add(path)
        made = DOCUMENT(name=f"{root}/{path}")
        fill(made.fields, dice, root)
        yield made
