"""firestore.indexes.json has exactly the indexes that the code needs."""

import json
import re
from pathlib import Path

from conftest import PROJECT

INDEXES = json.loads((PROJECT / "firestore.indexes.json").read_text())
SOURCES = {
    path: path.read_text() for folder in ("Shared", "Functions") for path in (PROJECT / folder).rglob("*.swift")
}
PAGES = {path: path.read_text() for path in (PROJECT / "emulator/Pages/www").rglob("*.js")}


def written_collections():
    """Returns the collections whose documents are written with `expiresAt`, by source file."""
    return {
        "Shared/Chat/Translation/TranslationCache.swift": "translations",
        "Shared/Chat/Translation/FailedTranslation.swift": "translationFailures",
        "Shared/Chat/Limits/Spending.swift": "limits",
        "Shared/FirestoreClient/Leases/Leases.swift": "leases",
        "Functions/analyzeMessage/AnalysisRecord.swift": "aiAnalysis",
        "Functions/sendNotification/NotificationLedger.swift": "functionEvents",
        "Functions/sendNotification/TokenOwner.swift": "deviceTokens",
        "Functions/translateMessage/ReleaseLedger.swift": "functionEvents",
        "Functions/trackOpen/OpenedPush.swift": "functionEvents",
        "Functions/smartReplies/ReplyCache.swift": "smartReplies",
        "Functions/askAI/QueryRecord.swift": "queries",
    }


def test_only_the_listed_files_write_documents_that_expire():
    writing = {
        str(path.relative_to(PROJECT)) for path, text in SOURCES.items()
        if re.search(r'"expiresAt"(: \.timestamp|\] = \.timestamp)', text)
    }
    assert writing == set(written_collections())
    for file, collection in written_collections().items():
        text = "".join(SOURCES[path] for path in SOURCES if str(path.parent) == str((PROJECT / file).parent))
        assert re.search(rf'"{collection}[/"\\]', text), (file, collection)


def test_collections_that_expire_have_a_ttl_policy():
    expiring = {o["collectionGroup"] for o in INDEXES["fieldOverrides"] if o.get("ttl")}
    assert expiring == set(written_collections().values())
    for override in INDEXES["fieldOverrides"]:
        # In an index, times that only grow would all be written at the same end: a hot spot.
        assert (override["fieldPath"] == "expiresAt") == bool(override.get("ttl"))
        assert not override.get("ttl") or override["indexes"] == []


def queried_fields(sources, pages):
    """Returns the fields by which queries filter or order, of any collection, and some others that
    the same files name."""
    fields = set()
    for text in sources:
        if "StructuredQuery(" in text:
            # A field of a field path is queried by its first name.
            fields.update(re.findall(r'(?:FieldPath\(\s*|of: )"(\w+)"', text))
            for entries in re.findall(r"let entries = \[(.*?)\]", text):
                fields.update(re.findall(r'"(\w+)"', entries))
    for text in pages:
        if "structuredQuery" in text:
            fields.update(re.findall(r'(?:isEqual\(|ordered\(|fieldPath: )"(\w+)"', text))
    return fields


def test_fields_without_an_index_are_not_queried():
    # The pages about data query what their readers write.
    pages = [text for path, text in PAGES.items() if path.parts[-2] != "data"]
    queried = queried_fields(SOURCES.values(), pages)
    assert {"senderId", "sourceText", "participants", "settings", "joinedAt", "readBy", "contextIds", "unread",
            "timestamp"} <= queried
    assert "explanation" in queried_fields(
        ['StructuredQuery(from: "aiAnalysis", where: .field(FieldPath("explanation"), .equal, value))'], [])
    assert "lastMessage" in queried_fields([], ['structuredQuery: { where: isEqual("lastMessage", text) }'])
    for override in INDEXES["fieldOverrides"]:
        if override["indexes"] == []:
            assert override["fieldPath"] not in queried
            # The field exists.
            assert any(f'"{override["fieldPath"]}"' in text for text in SOURCES.values()), override


def test_queries_of_groups_have_their_indexes():
    erasure = next(text for path, text in SOURCES.items() if path.name == "UserErasure.swift")
    asked = set()
    for collection, rest in re.findall(r"everywhere\(\s*([\w.\"]+),\s*where: \.field\(([^)]*\)?, \.\w+)", erasure):
        field = re.search(r'FieldPath\("(\w+)"\)', rest)
        lists = re.findall(r'removeEntries\(of: "(\w+)"', erasure)
        for name in [field[1]] if field else {"list": lists}[rest.split(",")[0]]:
            asked.add((
                "messages" if "messageCollection" in collection else collection.strip('"'),
                name,
                "CONTAINS" if "arrayContains" in rest else "ASCENDING",
            ))
    # One query is for two fields.
    assert erasure.count("everywhere(") == len(asked) == 4
    others = {path.name for path, text in SOURCES.items() if "allDescendants: true" in text}
    assert others == {"UserErasure.swift"}
    declared = {
        (o["collectionGroup"], o["fieldPath"], i.get("order") or i["arrayConfig"])
        for o in INDEXES["fieldOverrides"] for i in o["indexes"] if i["queryScope"] == "COLLECTION_GROUP"
    }
    assert declared == asked
    # An override replaces the default indexes of its field.
    for override in INDEXES["fieldOverrides"]:
        scopes = [i["queryScope"] for i in override["indexes"]]
        assert scopes == [] or "COLLECTION" in scopes


def queries(text, start, end):
    """Yields the parts of a source that build one query each."""
    for match in re.finditer(start, text):
        depth, at = 0, match.end() - 1
        for at in range(match.end() - 1, len(text)):
            depth += {end[0]: 1, end[1]: -1}.get(text[at], 0)
            if depth == 0:
                break
        yield text[match.start():at + 1]


def test_queries_that_filter_and_order_have_a_composite_index():
    composite = set()
    for path, text in SOURCES.items():
        if "FirestoreModel" in str(path):
            continue
        for query in queries(text, r"StructuredQuery\(", "()"):
            if "where:" in query and "orderBy:" in query:
                fields = set(re.findall(r'FieldPath\("(\w+)"\)', query.split("select:")[0]))
                composite.add((path.name, *sorted(fields)))
    # The range and the order are on one field, which has a default index.
    assert composite == {("ConversationWindow.swift", "timestamp"), ("NewestMessages.swift", "timestamp")}
    for path, text in PAGES.items():
        for query in queries(text, r"structuredQuery: \{", "{}"):
            if "where:" in query and "orderBy:" in query and not path.parts[-2] == "data":
                fields = re.findall(r'(?:collectionId|isEqual\(|ordered\(|fieldPath):? ?"(\w+)"', query)
                composite.add((path.name, *fields))
    pages = {found for found in composite if found[0].endswith(".js")}
    assert pages == {
        ("conversation.js", "aiAnalysis", "conversationId", "timestamp"),
        ("conversation.js", "messages", "timestamp", "timestamp", "__name__"),
    }
    assert [
        (index["collectionGroup"], [(f["fieldPath"], f.get("order") or f["arrayConfig"]) for f in index["fields"]])
        for index in INDEXES["indexes"]
    ] == [
        ("aiAnalysis", [("conversationId", "ASCENDING"), ("timestamp", "DESCENDING")]),
        # Apps list a user's conversations, the newest first.
        ("conversations", [("participants", "CONTAINS"), ("lastMessageAt", "DESCENDING")]),
    ]


def test_firebase_accepts_the_file():
    assert set(INDEXES) == {"indexes", "fieldOverrides"}
    for index in INDEXES["indexes"]:
        assert set(index) == {"collectionGroup", "queryScope", "fields"}
    for override in INDEXES["fieldOverrides"]:
        assert set(override) - {"ttl"} == {"collectionGroup", "fieldPath", "indexes"}
    assert Path(PROJECT / "firestore.indexes.json").read_text().endswith("}\n")
