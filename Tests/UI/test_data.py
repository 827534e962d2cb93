"""The Data page: what it shows and writes is compared with Firestore's REST API."""

import hashlib
import json
import re
import urllib.parse
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Emulator
from playwright.sync_api import expect

ROOT = "projects/demo-worldchat/databases/(default)/documents"


@pytest.fixture
def emulator(tmp_path, request):
    """An emulator without the demo's data and WorldChat's indexes; with "large" it has imported 100,000 documents."""
    options = ["--import", write_export(tmp_path / "export")] if getattr(request, "param", None) == "large" else []
    emulator = Emulator(tmp_path, *options, seed=False, runs_in=tmp_path)
    yield emulator
    emulator.stop()


def write_export(folder):
    folder.mkdir()
    text = "".join(
        f'{{"name":"many/{number:06}","fields":{{"n":{{"integerValue":"{number}"}}}}}}\n' for number in range(100_000)
    )
    (folder / "many.ndjson").write_text(text)
    (folder / "worldchat-export.json").write_text(json.dumps({
        "format": "worldchat-export", "version": 1, "project": "demo-worldchat", "time": "2026-01-01T00:00:00Z",
        "databases": [{
            "database": "(default)", "file": "many.ndjson", "documents": 100_000,
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }],
    }))
    return folder


def vector(*numbers):
    values = [{"doubleValue": number} for number in numbers]
    return {"mapValue": {"fields": {
        "__type__": {"stringValue": "__vector__"}, "value": {"arrayValue": {"values": values}},
    }}}


def field(page, name):
    """Returns the row of a field."""
    return page.locator(".field", has=page.locator(".name", has_text=name).get_by_text(name, exact=True))


def save(page, action="Save", timeout=30_000):
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=action, exact=True).click()
    expect(dialog).to_have_count(0, timeout=timeout)


def expect_shown(page, emulator, path):
    """Waits until the page shows the document's current version, so that the next change is based
    on it."""
    document = emulator.request("GET", "firestore", f"{emulator.documents}/{path}")
    expect(page.locator(".times time").first).to_have_attribute("datetime", document["updateTime"])


def name_input(page):
    return page.get_by_role("dialog").get_by_label("Name", exact=True)


def fill_value(place, kind, text):
    place.get_by_label("Type of value").select_option(label=kind)
    if kind == "boolean":
        place.get_by_label("Value", exact=True).select_option(text)
    elif text is not None:
        place.get_by_label("Value", exact=True).fill(text)


def write_many(emulator, collection, documents):
    """Writes documents by their ids in one commit."""
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": [
        {"update": {"name": f"{ROOT}/{collection}/{id}", "fields": fields}} for id, fields in documents.items()
    ]})


def lines(emulator, database="(default)"):
    url = emulator.url("ui", f"/api/export?database={database}")
    return urllib.request.urlopen(url, timeout=60).read().decode().splitlines()


VALUES = [
    ("null", None, {"nullValue": None}),
    ("boolean", "false", {"booleanValue": False}),
    ("integer", "-9223372036854775808", {"integerValue": "-9223372036854775808"}),
    ("integer", "9007199254740993", {"integerValue": "9007199254740993"}),
    ("double", "0.1", {"doubleValue": 0.1}),
    ("double", "NaN", {"doubleValue": "NaN"}),
    ("double", "-Infinity", {"doubleValue": "-Infinity"}),
    ("double", "-0", {"doubleValue": -0.0}),
    ("timestamp", "2026-05-17T09:30:00.123456Z", {"timestampValue": "2026-05-17T09:30:00.123456Z"}),
    ("string", "two\nlines, “quotes”, 😀", {"stringValue": "two\nlines, “quotes”, 😀"}),
    ("bytes", "AAEC/w==", {"bytesValue": "AAEC/w=="}),
    ("reference", "users/sarah", {"referenceValue": f"{ROOT}/users/sarah"}),
    ("geopoint", "45.46, -9.19", {"geoPointValue": {"latitude": 45.46, "longitude": -9.19}}),
    ("array", None, {"arrayValue": {}}),
    ("map", None, {"mapValue": {}}),
    ("vector", "1, -2.5, 0", vector(1.0, -2.5, 0.0)),
]


def test_a_value_of_each_type_is_written_as_it_was_typed(page, emulator):
    emulator.write("things/one", {"field": {"stringValue": "before"}, "other": {"integerValue": "1"}})
    page.goto("/data/things/one")
    for kind, text, value in VALUES:
        page.get_by_role("button", name="Edit field").click()
        fill_value(page.get_by_role("dialog"), kind, text)
        save(page)
        written = emulator.get("things/one")
        # As JSON, for -0.0 == 0.
        assert json.dumps(written) == json.dumps({"field": value, "other": {"integerValue": "1"}}), kind
        expect_shown(page, emulator, "things/one")
        expect(field(page, "field").locator(".type")).to_have_text(kind)


def test_what_a_type_can_not_hold_is_refused_with_a_hint(page, emulator):
    emulator.write("things/one", {"field": {"stringValue": "before"}})
    page.goto("/data/things/one")
    page.get_by_role("button", name="Edit field").click()
    dialog = page.get_by_role("dialog")
    for kind, text, hint in [
        ("integer", "9223372036854775808", "An integer"), ("double", "1e999", "A double"),
        ("timestamp", "yesterday", "A timestamp"), ("bytes", "%", "Bytes"), ("reference", "users", "A reference"),
        ("geopoint", "91, 0", "A geopoint"), ("vector", "1, x", "A double"),
    ]:
        fill_value(dialog, kind, text)
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert").filter(has_text=hint)).to_be_visible()
    assert emulator.get("things/one") == {"field": {"stringValue": "before"}}


def test_fields_in_maps_and_arrays_are_added_renamed_and_deleted(page, emulator):
    emulator.write("things/one", {
        "map": {"mapValue": {"fields": {"a.b `c`": {"stringValue": "x"}, "kept": {"doubleValue": "-0"}}}},
        "list": {"arrayValue": {"values": [
            {"doubleValue": "-0"}, {"mapValue": {"fields": {"in": {"nullValue": None}}}},
        ]}},
    })
    page.goto("/data/things/one")
    page.get_by_role("button", name="map", exact=True).click()
    page.get_by_role("button", name="Edit a.b `c`").click()
    name_input(page).fill("“new\\` name”.")
    save(page)
    expect_shown(page, emulator, "things/one")
    page.get_by_role("button", name="Add to list").click()
    fill_value(page.get_by_role("dialog"), "integer", "7")
    save(page, "Add")
    expect_shown(page, emulator, "things/one")
    page.get_by_role("button", name="list", exact=True).click()
    page.get_by_role("button", name="Add to 1").click()
    name_input(page).fill("deep")
    fill_value(page.get_by_role("dialog"), "boolean", "true")
    save(page, "Add")
    expect_shown(page, emulator, "things/one")
    page.get_by_role("button", name="Delete 0").click()
    save(page, "Delete")
    expect(field(page, "list").locator(".value")).to_have_text("[ 2 elements ]")
    assert json.dumps(emulator.get("things/one")) == json.dumps({
        "list": {"arrayValue": {"values": [
            {"mapValue": {"fields": {"deep": {"booleanValue": True}, "in": {"nullValue": None}}}},
            {"integerValue": "7"},
        ]}},
        "map": {"mapValue": {"fields": {"kept": {"doubleValue": -0.0}, "“new\\` name”.": {"stringValue": "x"}}}},
    })


def test_a_document_is_added_and_deleted_with_everything_below_it(page, emulator):
    emulator.write("users/marco", {})
    page.goto("/data/users")
    page.get_by_role("region", name="Documents").get_by_role("button", name="Add…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Document ID").fill("nina #1")
    dialog.get_by_role("button", name="Add field").click()
    name_input(page).fill("age")
    fill_value(dialog, "integer", "30")
    save(page, "Add")
    expect(page).to_have_url("/data/users/nina%20%231")
    path = "users/nina%20%231"
    assert emulator.get(path) == {"age": {"integerValue": "30"}}

    emulator.write(f"{path}/devices/phone", {})
    expect(page.get_by_role("link", name="devices")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Delete document").click()
    page.get_by_label("also the 1 document below it").check()
    save(page, "Delete")
    expect(page).to_have_url("/data/users")
    expect(shown_ids(page)).to_have_text(["marco"])
    assert not [line for line in lines(emulator) if "nina" in line]


def test_a_collection_is_deleted_with_everything_below_it(page, emulator):
    write_many(emulator, "old", {f"{number:04}": {} for number in range(900)})
    emulator.write("old/0001/below/x", {})
    emulator.write("older/kept", {})
    page.goto("/data/old")
    page.get_by_role("button", name="Delete collection…").click()
    save(page, "Delete 901 documents")
    expect(page.get_by_text("This collection has no documents.")).to_be_visible()
    assert [json.loads(line)["name"] for line in lines(emulator) if '"old' in line] == ["older/kept"]


def test_a_document_changed_meanwhile_is_not_overwritten_without_confirmation(context, page, emulator):
    emulator.write("things/one", {"field": {"stringValue": "first"}})
    page.goto("/data/things/one")
    page.get_by_role("button", name="Edit field").click()
    emulator.write("things/one", {"field": {"stringValue": "theirs"}, "more": {"integerValue": "1"}})
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Value", exact=True).fill("mine")
    dialog.get_by_role("button", name="Save").click()
    conflict = dialog.get_by_role("alert").filter(has_text="has changed the document")
    expect(conflict.get_by_role("row", name="Original")).to_contain_text("first")
    expect(conflict.get_by_role("row", name="Current")).to_contain_text("theirs")
    expect(conflict.get_by_role("row", name="Yours")).to_contain_text("mine")
    assert emulator.get("things/one")["field"] == {"stringValue": "theirs"}
    save(page)
    assert emulator.get("things/one") == {"field": {"stringValue": "mine"}, "more": {"integerValue": "1"}}

    page.get_by_role("button", name="Delete field").click()
    emulator.request("DELETE", "firestore", f"{emulator.documents}/things/one")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(dialog.get_by_role("alert").filter(has_text="The document was deleted meanwhile.")).to_be_visible()
    # Chromium logs the 400 response.
    context.problems.clear()


# Queries

NUMBERS = {
    "a": {"n": {"integerValue": "1"}, "tags": {"arrayValue": {"values": [{"stringValue": "x"}]}}},
    "b": {"n": {"integerValue": "2"}, "tags": {"arrayValue": {"values": [{"stringValue": "y"}]}}},
    "c": {
        "n": {"doubleValue": "NaN"}, "tags": {"arrayValue": {"values": [{"stringValue": "x"}, {"stringValue": "z"}]}},
    },
    "d": {"n": {"nullValue": None}},
    "e": {"n": {"integerValue": "3"}, "map": {"mapValue": {"fields": {"k.1": {"stringValue": "v"}}}}},
}
# A field, an operator, its operands, and the ids of the matching documents in the query's order.
QUERIES = [
    ("n", "==", [("integer", "2")], "b"), ("n", "!=", [("integer", "2")], "cae"),
    ("n", "<", [("integer", "2")], "a"),
    ("n", "<=", [("integer", "2")], "ab"), ("n", ">", [("double", "1.5")], "be"), ("n", ">=", [("integer", "2")], "be"),
    ("tags", "array contains", [("string", "x")], "ac"),
    ("tags", "array contains any", [("string", "y"), ("string", "z")], "bc"),
    ("n", "in", [("integer", "1"), ("integer", "3")], "ae"),
    ("n", "not in", [("integer", "1"), ("integer", "3")], "cb"),
    ("n", "is null", [], "d"), ("n", "is not null", [], "cabe"), ("n", "is NaN", [], "c"),
    ("n", "is not NaN", [], "abe"),
    ("map.`k.1`", "==", [("string", "v")], "e"), ("__name__", ">", [("reference", "numbers/c")], "de"),
]


def shown_ids(page):
    return page.get_by_role("list", name="Documents").locator(".id")


def open_query(page):
    page.locator("summary", has_text="Query").click()


def add_condition(page, place, name, operator, values):
    place.get_by_role("button", name="Add condition").last.click()
    condition = place.locator(".condition").last
    condition.get_by_label("Field").fill(name)
    condition.get_by_label("Operator").select_option(label=operator)
    for index, (kind, text) in enumerate(values):
        if index > 0:
            condition.get_by_role("button", name="Add value").click()
        fill_value(condition.locator(".value-input").nth(index), kind, text)


def rest_ids(emulator, page):
    """Returns the ids that Firestore returns for the query in the page's address, without the
    page's default order and paging."""
    query = json.loads(urllib.parse.parse_qs(urllib.parse.urlparse(page.url).query)["q"][0])

    def where(part):
        if "filters" in part:
            return {"compositeFilter": {"op": part["match"], "filters": [where(each) for each in part["filters"]]}}
        if "value" not in part:
            return {"unaryFilter": {"op": part["op"], "field": {"fieldPath": part["field"]}}}
        return {"fieldFilter": {"op": part["op"], "field": {"fieldPath": part["field"]}, "value": part["value"]}}

    structured = {
        "from": [{"collectionId": "numbers", "allDescendants": query["group"]}],
        "orderBy": [
            {"field": {"fieldPath": order["field"]}, "direction": "DESCENDING" if order["descending"] else "ASCENDING"}
            for order in query["order"]
        ],
    }
    if query["filter"]["filters"]:
        structured["where"] = where(query["filter"])
    if query["limit"]:
        structured["limit"] = query["limit"]
    rows = emulator.request("POST", "firestore", f"{emulator.documents}:runQuery", {"structuredQuery": structured})
    return [row["document"]["name"].rsplit("/", 1)[1] for row in rows if "document" in row]


def test_every_operator_finds_what_firestore_finds(page, emulator):
    write_many(emulator, "numbers", NUMBERS)
    for name, operator, values, expected in QUERIES:
        page.goto("/data/numbers")
        open_query(page)
        add_condition(page, page.locator(".query"), name, operator, values)
        page.get_by_role("button", name="Run").click()
        expect(page.locator(".total")).to_have_text(f"{len(expected)} document" + ("s" if len(expected) > 1 else ""))
        expect(shown_ids(page)).to_have_text(list(expected))
        assert rest_ids(emulator, page) == list(expected), operator
        page.reload()
        expect(shown_ids(page)).to_have_text(list(expected))


def test_groups_orders_limits_and_collection_groups(page, emulator):
    write_many(emulator, "numbers", NUMBERS)
    emulator.write("users/sarah/numbers/f", {"n": {"integerValue": "1"}})
    page.goto("/data/numbers")
    open_query(page)
    query = page.locator(".query")
    add_condition(page, query, "n", ">", [("integer", "0")])
    query.get_by_role("button", name="Add group").click()
    nested = query.locator(".nested")
    add_condition(page, nested, "n", "==", [("integer", "1")])
    add_condition(page, nested, "n", "==", [("integer", "3")])
    query.get_by_role("button", name="Add order").click()
    query.locator("fieldset").last.get_by_label("Field").fill("n")
    query.get_by_label("Direction").select_option(label="descending")
    page.get_by_role("button", name="Run").click()
    expect(shown_ids(page)).to_have_text(["e", "a"])
    assert rest_ids(emulator, page) == ["e", "a"]

    page.get_by_label("all collections named numbers").check()
    page.get_by_role("button", name="Run").click()
    expect(shown_ids(page)).to_have_text(["numbers/e", "users/sarah/numbers/f", "numbers/a"])
    assert rest_ids(emulator, page) == ["e", "f", "a"]
    page.get_by_label("Limit").fill("2")
    page.get_by_role("button", name="Run").click()
    expect(shown_ids(page)).to_have_text(["numbers/e", "users/sarah/numbers/f"])
    page.get_by_role("link", name="users/sarah/numbers/f").click()
    expect(field(page, "n").locator(".value")).to_have_text("1")
    page.go_back()
    expect(shown_ids(page)).to_have_count(2)
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(shown_ids(page)).to_have_text(list("abcde"))


def test_firestores_error_for_an_invalid_query_is_shown(context, page, emulator):
    write_many(emulator, "numbers", NUMBERS)
    page.goto("/data/numbers")
    open_query(page)
    add_condition(page, page.locator(".query"), "n", "!=", [("integer", "1")])
    add_condition(page, page.locator(".query"), "n", "!=", [("integer", "2")])
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert").filter(has_text="Only a single 'NOT_EQUAL'")).to_be_visible()
    # Chromium logs the 400 response.
    context.problems.clear()


# Many documents and live changes


@pytest.mark.parametrize("emulator", ["large"], indirect=True)
def test_100_000_documents_are_scrolled_and_found(page, emulator):
    page.goto("/data/many")
    expect(page.locator(".total")).to_have_text("100,000 documents")
    documents = page.get_by_role("list", name="Documents")
    # Scroll step by step, then to the end, then to the middle, then back.
    documents.hover()
    for _ in range(30):
        page.mouse.wheel(0, 2_000)
    expect(documents.get_by_role("link", name="001880")).to_be_visible()
    documents.evaluate("list => list.scrollTop = list.scrollHeight")
    expect(documents.get_by_role("link", name="099999")).to_be_visible()
    assert documents.get_by_role("listitem").count() < 100
    emulator.write("many/099999x", {})
    expect(page.locator(".total")).to_have_text("100,001 documents")
    documents.evaluate("list => list.scrollTop = 50_000 * 32")
    expect(documents.get_by_role("link", name="050000")).to_be_visible()
    emulator.request("DELETE", "firestore", f"{emulator.documents}/many/050001")
    expect(documents.get_by_role("link", name="050001")).to_have_count(0)
    page.get_by_label("Find a document by its id").fill("077777")
    page.keyboard.press("Enter")
    expect(documents.get_by_role("link", name="077777")).to_be_focused()
    page.keyboard.press("Enter")
    expect(field(page, "n").locator(".value")).to_have_text("77777")
    documents.evaluate("list => list.scrollTop = 0")
    expect(documents.get_by_role("link", name="000000")).to_be_visible()

    page.goto("/data/many/012345")
    expect(documents.get_by_role("link", name="012345")).to_be_visible()
    open_query(page)
    query = page.locator(".query")
    query.get_by_role("button", name="Add order").click()
    query.locator("fieldset").last.get_by_label("Field").fill("n")
    query.get_by_label("Direction").select_option(label="descending")
    page.get_by_role("button", name="Run").click()
    expect(documents.get_by_role("link", name="099999")).to_be_visible()
    documents.evaluate("list => list.scrollTop = list.scrollHeight")
    expect(documents.get_by_role("link", name="000000")).to_be_visible()


def test_the_open_document_is_visible_however_late_the_first_rows_are_drawn(page, emulator):
    write_many(emulator, "numbers", {f"{index:03}": {} for index in range(300)})
    page.add_init_script("""
        const draw = window.requestAnimationFrame;
        window.requestAnimationFrame = (callback) => draw(() => setTimeout(callback, 1_000));
    """)
    page.goto("/data/numbers/250")
    expect(page.get_by_role("list", name="Documents").get_by_role("link", name="250")).to_be_in_viewport()


def test_changes_are_shown_as_they_happen(page, emulator):
    emulator.write("things/one", {
        "n": {"integerValue": "1"}, "map": {"mapValue": {"fields": {"a": {"nullValue": None}}}},
    })
    page.goto("/data/things/one")
    page.get_by_role("button", name="map", exact=True).click()
    page.get_by_role("button", name="Edit a").focus()
    emulator.write("things/one", {
        "n": {"integerValue": "2"}, "map": {"mapValue": {"fields": {"a": {"booleanValue": True}}}},
    })
    expect(field(page, "n").locator(".value")).to_have_text("2")
    expect(field(page, "a").locator(".value")).to_have_text("true")
    expect(page.get_by_role("button", name="Edit a")).to_be_focused()
    emulator.write("things/two", {})
    expect(shown_ids(page)).to_have_text(["one", "two"])
    emulator.request("DELETE", "firestore", f"{emulator.documents}/things/one")
    expect(shown_ids(page)).to_have_text(["two"])
    expect(page.get_by_text("There is no such document.")).to_be_visible()


def test_missing_documents_in_a_long_collection_are_shown_on_request(page, emulator):
    for start in [0, 500, 1_000]:
        write_many(emulator, "long", {f"{number:04}": {} for number in range(start, start + 500)})
    emulator.write("long/0000ghost/below/x", {})
    page.goto("/data/long")
    expect(page.locator(".total")).to_have_text("1,500 documents")
    expect(shown_ids(page).filter(has_text="ghost")).to_have_count(0)
    page.get_by_role("button", name="Show documents that don't exist, too").click()
    expect(page.locator(".total")).to_have_text("1,500 documents, 1 that doesn't exist")
    expect(page.get_by_role("link", name="0000ghost")).to_have_class("row missing")


def test_a_reference_to_another_database_is_kept(page, emulator):
    other = "projects/demo-other/databases/(default)/documents/users/sarah"
    emulator.write("things/one", {"there": {"referenceValue": other}, "here": {"referenceValue": f"{ROOT}/things/one"}})
    page.goto("/data/things/one")
    expect(field(page, "there").locator(".value")).to_have_text(other)
    expect(field(page, "here").get_by_role("link")).to_have_attribute("href", "/data/things/one")
    page.get_by_role("button", name="Edit there").click()
    name_input(page).fill("renamed")
    save(page)
    assert emulator.get("things/one")["renamed"] == {"referenceValue": other}


def test_the_page_survives_a_restart(context, page, emulator):
    emulator.write("things/one", {"n": {"integerValue": "1"}})
    page.goto("/data/things/one")
    expect(field(page, "n").locator(".value")).to_have_text("1")
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    expect(page.get_by_text("There is no such document.")).to_be_visible()
    emulator.write("things/one", {"n": {"integerValue": "2"}})
    expect(field(page, "n").locator(".value")).to_have_text("2")
    expect(shown_ids(page)).to_have_text(["one"])
    # Chromium logs the refused connections.
    context.problems.clear()


# Failures and hostile documents


def test_data_is_loaded_once_the_emulator_can_be_reached_again(context, page, emulator):
    emulator.write("things/one", {"field": {"stringValue": "there"}})
    page.goto("/data")
    link = page.get_by_role("link", name="things")
    expect(link).to_be_visible()
    context.set_offline(True)
    link.click()
    documents = page.get_by_label("Documents", exact=True)
    expect(documents.get_by_role("alert")).to_have_text("The emulator can't be reached.")
    # From now on there is a stream to which listeners can be added.
    with page.expect_event("requestfinished", lambda request: "/Listen/channel" in request.url):
        context.set_offline(False)
    expect(shown_ids(page)).to_have_text(["one"])
    expect(page.get_by_role("alert")).to_have_count(0)

    context.set_offline(True)
    with page.expect_event("requestfailed", lambda request: "/Listen/channel" in request.url):
        page.get_by_role("link", name="one", exact=True).click()
    context.set_offline(False)
    expect(field(page, "field").locator(".value")).to_have_text("there")
    # Chromium logs the requests that failed offline.
    context.problems.clear()


def test_an_id_is_found_as_soon_as_the_documents_are_counted(page, emulator):
    write_many(emulator, "things", {"one": {}, "two": {}})
    held = []
    page.route(re.compile(":runAggregationQuery$"), lambda route: held.append(route))
    with page.expect_request(re.compile(":runAggregationQuery$")):
        page.goto("/data/things")
    find = page.get_by_role("searchbox", name="Find a document by its id")
    find.fill("two")
    find.press("Enter")
    held[0].continue_()
    expect(page.get_by_role("link", name="two", exact=True)).to_be_focused()


def test_hostile_documents_are_shown_as_text(page, emulator):
    script = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"
    deep = {"stringValue": "the bottom"}
    for level in range(20, 0, -1):
        deep = {"mapValue": {"fields": {f"level{level}": deep}}}
    long = "0123456789" * 104_000
    emulator.write("hostile/%20%3Cb%3E%25%F0%9F%98%80", {
        script: {"stringValue": script}, "bidi": {"stringValue": "photo\u202egpj.exe"}, "deep": deep,
        "empty": {"mapValue": {}}, "constructor": {"integerValue": "1"},
        "many": {"arrayValue": {"values": [{"integerValue": str(number)} for number in range(10_000)]}},
    })
    emulator.write("hostile/long", {"long": {"stringValue": long}})
    emulator.write("hostile/ghost/below/x", {})
    page.goto("/data/hostile")
    expect(shown_ids(page)).to_have_text([" <b>%😀", "ghost", "long"], use_inner_text=True)
    expect(page.get_by_role("link", name="ghost")).to_have_class("row missing")
    page.get_by_role("link", name="<b>").click()
    expect(field(page, script).locator(".value")).to_have_text(script)
    expect(field(page, "bidi").locator(".value")).to_have_text("photoRLOgpj.exe")
    page.get_by_role("button", name="Edit constructor").click()
    fill_value(page.get_by_role("dialog"), "integer", "2")
    save(page)
    expect(field(page, "constructor").locator(".value")).to_have_text("2")
    page.get_by_role("button", name="deep", exact=True).click()
    for level in range(1, 20):
        page.get_by_role("button", name=f"level{level}", exact=True).click()
    expect(field(page, "level20").locator(".value")).to_have_text("the bottom")
    page.get_by_role("button", name="many", exact=True).click()
    page.get_by_role("button", name="9900 … 9999").click()
    page.get_by_role("button", name="Edit 9999").click()
    fill_value(page.get_by_role("dialog"), "integer", "-1")
    save(page)
    expect(field(page, "9999").locator(".value")).to_have_text("-1")

    page.get_by_role("link", name="long").click()
    value = field(page, "long").locator(".text")
    assert len(value.text_content()) < 400
    page.get_by_role("button", name="Show all 1,040,000 characters").click()
    assert value.text_content() == long
    page.get_by_role("link", name="ghost").click()
    page.get_by_role("link", name="below").click()
    expect(page).to_have_url("/data/hostile/ghost/below")
    expect(shown_ids(page)).to_have_text(["x"])
    expect(page).to_have_title("hostile/ghost/below – Data – WorldChat emulator")


# Files


def test_an_export_restores_what_was_cleared(page, emulator, tmp_path):
    emulator.write("users/marco", {"primaryLanguage": {"stringValue": "it"}})
    emulator.write("conversations/c", {"participants": {"arrayValue": {"values": [{"stringValue": "marco"}]}}})
    message = {"text": {"stringValue": "Ciao"}, "senderId": {"stringValue": "marco"}}
    emulator.write("conversations/c/messages/m", message)
    emulator.quiet()
    emulator.write("odd/%F0%9F%98%80", {"d": {"doubleValue": "-0"}, "i": {"integerValue": "9223372036854775807"}})
    before = lines(emulator)
    page.goto("/data/users")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "(default).ndjson"
    assert file.read_text().splitlines() == before

    page.get_by_role("button", name="Clear all…").click()
    expect(page.get_by_role("dialog")).to_contain_text("conversations")
    save(page, f"Clear {len(before)} documents")
    expect(page.get_by_text("This collection has no documents.")).to_be_visible()
    assert lines(emulator) == []
    page.get_by_role("button", name="Import…").click()
    page.get_by_label("An NDJSON file").set_input_files(file)
    save(page, "Import", timeout=120_000)
    expect(shown_ids(page)).to_have_text(["marco"])
    assert lines(emulator) == before
    emulator.quiet()
    assert lines(emulator) == before, "functions saw the import"

    emulator.request("DELETE", "firestore", f"/emulator{emulator.documents}")
    known = len(emulator.request("GET", "ui", "/api/events"))
    page.get_by_role("button", name="Import…").click()
    page.get_by_label("An NDJSON file").set_input_files(file)
    page.get_by_label("trigger functions").check()
    save(page, "Import")
    assert len(emulator.request("GET", "ui", "/api/events")) > known


def test_a_byte_order_mark_is_skipped_and_an_empty_file_is_reported(page, emulator):
    page.goto("/data/c")
    page.get_by_role("button", name="Import…").click()
    files = page.get_by_label("An NDJSON file")
    for content in [b"", b"\xef\xbb\xbf\n"]:
        files.set_input_files({"name": "empty.ndjson", "mimeType": "application/json", "buffer": content})
        page.get_by_role("dialog").get_by_role("button", name="Import", exact=True).click()
        expect(page.get_by_role("alert").filter(has_text="There are no documents in empty.ndjson.")).to_be_visible()
    files.set_input_files({
        "name": "marked.ndjson", "mimeType": "application/json", "buffer": b'\xef\xbb\xbf{"name":"c/first"}\r\n',
    })
    save(page, "Import")
    expect(shown_ids(page)).to_have_text(["first"])


def test_the_files_of_an_export_go_to_the_databases_in_its_manifest(page, emulator):
    def file(name, content):
        return {"name": name, "mimeType": "application/json", "buffer": content.encode()}

    entries = [
        {"database": "(default)", "file": "(default).ndjson", "documents": 1, "sha256": ""},
        {"database": "second", "file": "second.ndjson", "documents": 1, "sha256": ""},
    ]
    manifest = file("worldchat-export.json", json.dumps({"format": "worldchat-export", "databases": entries}))
    first = file("(default).ndjson", '{"name":"c/first"}\n')
    second = file("second.ndjson", '{"name":"c/second"}\n')
    page.goto("/data/c")
    page.get_by_role("button", name="Import…").click()
    page.get_by_label("An NDJSON file").set_input_files([manifest, first])
    page.get_by_role("dialog").get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="Choose second.ndjson, too")).to_be_visible()
    page.get_by_label("An NDJSON file").set_input_files([manifest, first, second])
    save(page, "Import")
    expect(shown_ids(page)).to_have_text(["first"])
    assert [json.loads(line)["name"] for line in lines(emulator, "second")] == ["c/second"]


def test_a_file_is_sent_in_pieces_and_a_bad_line_is_reported(context, page, emulator, tmp_path):
    big = "x" * 900_000
    file = tmp_path / "pieces.ndjson"
    names = [f"pieces/{number:03}" for number in range(10)]
    text = "".join(json.dumps({"name": name, "fields": {"t": {"stringValue": big}}}) + "\n" for name in names)
    file.write_text(text)
    page.goto("/data/pieces")
    page.get_by_role("button", name="Import…").click()
    page.get_by_label("An NDJSON file").set_input_files(file)
    save(page, "Import", timeout=120_000)
    expect(shown_ids(page)).to_have_count(10)

    file.write_text(text + '{"name":"pieces"}\n')
    page.get_by_role("button", name="Import…").click()
    page.get_by_label("An NDJSON file").set_input_files(file)
    page.get_by_role("dialog").get_by_role("button", name="Import", exact=True).click()
    refusal = page.get_by_role("alert").filter(has_text="pieces.ndjson: line 11 is refused")
    expect(refusal).to_be_visible(timeout=120_000)
    page.get_by_label("An NDJSON file").set_input_files(
        {"name": "output-0", "mimeType": "application/octet-stream", "buffer": b"x"}
    )
    page.get_by_role("dialog").get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="output-0 isn't an NDJSON file")).to_be_visible()
    # Chromium logs the 400 response.
    context.problems.clear()


# Dialogs, keyboard and accessibility


def test_a_confirmation_closes_when_its_document_is_left(page, emulator):
    write_many(emulator, "things", {"one": {}, "two": {}})
    page.goto("/data/things/two")
    page.get_by_role("link", name="one", exact=True).click()
    page.get_by_role("button", name="Delete document").click()
    expect(page.get_by_role("dialog", name="Delete things/one?")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="two")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("button", ["Delete document", "Delete collection…", "Clear all…"])
def test_a_late_count_does_not_open_a_confirmation_on_another_page(page, emulator, button):
    emulator.write("things/one", {})
    page.goto("/data/things/one")
    expect(shown_ids(page)).to_have_text(["one"])
    held = []
    page.route(re.compile(":runAggregationQuery$"), lambda route: held.append(route))
    with page.expect_request(re.compile(":runAggregationQuery$")):
        page.get_by_role("button", name=button).click()
    page.get_by_role("navigation").get_by_role("link", name="Functions").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Functions")
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("() => fetch('/api/status').then((answer) => answer.text())")
    assert page.get_by_role("dialog").count() == 0


def test_the_page_can_be_used_with_the_keyboard_alone(page, emulator):
    emulator.write("things/one", {"field": {"stringValue": "before"}})
    emulator.write("things/two", {"field": {"stringValue": "before"}})
    page.goto("/data/things")
    expect(shown_ids(page)).to_have_count(2)
    page.get_by_role("list", name="Documents").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="one", exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="two", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url("/data/things/two")
    edit = page.get_by_role("button", name="Edit field")
    expect(edit).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        if edit.evaluate("button => button === document.activeElement"):
            break
    expect(edit).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Value", exact=True)).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("typed")
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_role("dialog").get_by_role("button", name="Save")).to_be_focused()
    page.keyboard.press("Enter")
    expect(field(page, "field").locator(".value")).to_have_text("typed")
    expect(edit).to_be_focused()
    assert emulator.get("things/two") == {"field": {"stringValue": "typed"}}


def test_axe_finds_nothing_serious(page, emulator):
    emulator.write("things/one", {
        "text": {"stringValue": "a\u202eb"}, "map": {"mapValue": {"fields": {"a": {"nullValue": None}}}},
    })

    def check():
        results = Axe().run(page)
        serious = [rule for rule in results.response["violations"] if rule["impact"] in ("serious", "critical")]
        assert serious == []

    for theme in ["light", "dark"]:
        page.emulate_media(color_scheme=theme)
        for width in [1280, 360]:
            page.set_viewport_size({"width": width, "height": 800})
            page.goto("/data/things/one")
            expect(field(page, "text")).to_be_visible()
            check()
            page.get_by_role("button", name="Edit text").click()
            check()
            page.keyboard.press("Escape")
            page.goto("/data/things")
            expect(shown_ids(page)).to_have_text(["one"])
            open_query(page)
            page.get_by_role("button", name="Add condition").click()
            page.get_by_role("button", name="Add order").click()
            check()
