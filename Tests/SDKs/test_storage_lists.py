"""Lists of objects and the names of objects, with Google's client and plain requests, in our service and in
fake-gcs-server (see `test_storage_json.py`)."""

import pathlib
import uuid

import pytest
from google.api_core.exceptions import NotFound
from storage.differences import DIFFERENCES, NOT_RUN
from storage.service import encoded, related
from storage.sides import bucket, differs, names, path, put, side

# MARK: Lists

TREE = ["a.txt", "b/1.txt", "b/2.txt", "b/c/3.txt", "d/4.txt", "\uffff", "\U0001f600"]


@pytest.fixture
def tree(bucket):
    for name in reversed(TREE):
        put(bucket, name, name.encode())
    return bucket


def listed(bucket, **options):
    """Returns the names and the prefixes of a list."""
    blobs = bucket.list_blobs(**options)
    return names(blobs), sorted(blobs.prefixes)


def test_a_list_is_in_the_order_of_bytes(tree):
    assert listed(tree) == (TREE, [])


@pytest.mark.parametrize(
    "options, expected, prefixes",
    [
        ({"prefix": "b/"}, TREE[1:4], []),
        ({"prefix": "b"}, TREE[1:4], []),
        ({"prefix": "none"}, [], []),
        ({"delimiter": "/"}, ["a.txt", "\uffff", "\U0001f600"], ["b/", "d/"]),
        ({"prefix": "b/", "delimiter": "/"}, ["b/1.txt", "b/2.txt"], ["b/c/"]),
        ({"prefix": "b", "delimiter": "/"}, [], ["b/"]),
        ({"start_offset": "b/1.txt", "end_offset": "d/4.txt"}, TREE[1:4], []),
        ({"start_offset": "b/2", "prefix": "b/"}, TREE[2:4], []),
        ({"end_offset": "b/2.txt"}, TREE[:2], []),
    ],
    ids=lambda value: "-".join(f"{key} {text}" for key, text in value.items()) if isinstance(value, dict) else "",
)
def test_a_list(tree, options, expected, prefixes):
    assert listed(tree, **options) == (expected, prefixes)


def test_a_delimiter_of_several_characters(tree):
    prefixes = ["a.txt", "b/1.txt", "b/2.txt", "b/c/3.txt", "d/4.txt"]
    assert listed(tree, delimiter=".txt") == (["\uffff", "\U0001f600"], prefixes)


def test_a_pattern_of_names(side, bucket):
    """It isn't emulated, and no list ignores it."""
    assert "matchGlob" in side.ask("GET", f"/b/{bucket.name}/o?matchGlob=**.txt").must(501).message


def test_an_object_that_stands_for_a_folder(bucket):
    """Consoles make such objects, which are empty."""
    for name in ("b/", "b/1.txt", "b/c/"):
        put(bucket, name, b"")
    assert listed(bucket) == (["b/", "b/1.txt", "b/c/"], [])
    assert listed(bucket, prefix="b/", delimiter="/") == (["b/", "b/1.txt"], ["b/c/"])
    assert listed(bucket, delimiter="/") == ([], ["b/"])
    assert listed(bucket, delimiter="/", include_trailing_delimiter=True) == (["b/"], ["b/"])


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_pages(tree, size):
    assert names(tree.list_blobs(page_size=size)) == TREE
    assert names(tree.list_blobs(max_results=size)) == TREE[:size]


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_pages_with_prefixes(tree, size):
    """A prefix counts as a result, and is in one page only."""
    blobs = tree.list_blobs(page_size=size, delimiter="/")
    pages = [([blob.name for blob in page], page.prefixes) for page in blobs.pages]
    assert sum((found for found, _ in pages), []) == ["a.txt", "\uffff", "\U0001f600"]
    assert sorted(sum((list(prefixes) for _, prefixes in pages), [])) == ["b/", "d/"]
    assert all(len(found) + len(prefixes) <= size for found, prefixes in pages)


def test_a_page_continues_where_the_last_one_ended(side, tree):
    """Objects that come or go between two pages change nothing for the others."""
    first = side.ask("GET", f"/b/{tree.name}/o?maxResults=3").must().body
    assert [item["name"] for item in first["items"]] == TREE[:3]
    tree.blob(TREE[2]).delete()
    put(tree, "0")
    second = side.ask("GET", f"/b/{tree.name}/o?maxResults=100&pageToken={encoded(first['nextPageToken'])}").must().body
    assert [item["name"] for item in second["items"]] == TREE[3:] and "nextPageToken" not in second


@pytest.mark.parametrize("query", ["maxResults=-1", "maxResults=x", "pageToken=%00x!"])
def test_a_malformed_page(side, bucket, query):
    side.ask("GET", f"/b/{bucket.name}/o?{query}").must(400)


def test_a_list_of_a_missing_bucket(side):
    with pytest.raises(NotFound):
        list(side.client.list_blobs(f"bucket-{uuid.uuid4().hex}"))


# MARK: Names


def check_name(side, bucket, name):
    """Uploads, lists, reads, copies, replaces and deletes an object of a name."""
    content = name.encode()
    blob = put(bucket, name, content)
    assert blob.name == name and names(bucket.list_blobs()) == [name]
    assert bucket.get_blob(name).download_as_bytes() == content
    assert names(bucket.list_blobs(prefix=name)) == [name]
    bucket.copy_blob(blob, bucket, "copy")
    assert bucket.blob("copy").download_as_bytes() == content
    location = side.start(bucket, {"name": name})
    side.put(location, b"new", "0-2/3").must()
    assert bucket.blob(name).download_as_bytes() == b"new"
    bucket.blob(name).delete()
    assert names(bucket.list_blobs()) == ["copy"]


NAMES = [
    "a b", " ", "a+b", "100%", "%41", "%2F", "#1", "what?", "a&b=c", "a;b", "a:b@c", "\\", '"quotes"', "it's", "[*]", "{a}",
    "...", ".hidden", "ä", "a\u0308", "日本/語", "\U0001f600", "\u202e", "\ufeff", "tab\t", "\x7f", "o/b", "b/c/o/d",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name(side, bucket, name):
    check_name(side, bucket, name)


@pytest.mark.parametrize("name", ["/", "//", "/a", "a//b", "a/", "a/.", "a/..", "a/../b", "../../etc/passwd"])
def test_a_name_like_a_path(side, bucket, name):
    check_name(side, bucket, name)


@pytest.mark.parametrize(
    "name", ["x" * 1_024, "日" * 341, "e\u0301" * 341, "a/" * 512], ids=["letters", "characters", "marks", "folders"]
)
def test_a_long_name(side, bucket, name):
    assert 1_022 < len(name.encode()) <= 1_024
    check_name(side, bucket, name)


def test_names_that_look_the_same(bucket):
    """Names are compared by bytes, not by canonical equivalence."""
    different = ["e\u0301", "\u00e9", "\u212b", "\u00c5"]
    for name in different:
        put(bucket, name, name.encode())
    assert names(bucket.list_blobs()) == sorted(different)
    assert [bucket.blob(name).download_as_bytes() for name in different] == [name.encode() for name in different]


def test_an_object_with_the_name_of_a_folder(bucket):
    paths = ["a", "a/b", "a/b/c"]
    for name in paths:
        put(bucket, name, name.encode())
    assert [bucket.blob(name).download_as_bytes() for name in paths] == [b"a", b"a/b", b"a/b/c"]


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "x" * 1_025, "日" * 342, "a\nb", "a\rb", ".well-known/acme-challenge/a"],
    ids=["empty", "dot", "dots", "1,025 bytes", "1,026 bytes", "newline", "return", "challenge"],
)
def test_an_invalid_name(side, bucket, name):
    headers, body = related({"name": name}, b"content")
    side.upload(bucket, "multipart", body, headers).must(400)
    side.upload(bucket, "resumable", {"name": name}).must(400)
    side.upload(bucket, f"media&name={encoded(name)}", b"content").must(400)
    put(bucket, "a")
    if name:
        side.ask("POST", f"{path(bucket, 'a')}/copyTo{path(bucket, name)}").must(400)
    assert names(bucket.list_blobs()) == ["a"]


@pytest.mark.parametrize("name", ["%FF", "%ED%A0%80", "%C0%80"], ids=["byte", "surrogate", "overlong"])
def test_a_name_that_is_not_utf_8(side, bucket, name):
    side.upload(bucket, f"media&name={name}", b"content").must(400)
    assert names(bucket.list_blobs()) == []


def test_each_difference_is_one_of_a_test(side):
    tests = "".join(each.read_text() for each in pathlib.Path(__file__).parent.glob("test_storage_*.py"))
    for name in DIFFERENCES:
        assert f"def {name.split('[')[0]}(" in tests, name
    assert NOT_RUN <= set(DIFFERENCES)
