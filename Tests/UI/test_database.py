"""The page Realtime Database: what it shows and writes is compared with the REST interface."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Emulator
from playwright.sync_api import expect

NAME = "demo-worldchat-default-rtdb"
RULES = {
    "rules": {
        "presence": {".read": "auth != null", "$uid": {".write": "auth.uid === $uid"}},
        "many": {".read": True, ".indexOn": "n"},
    }
}


@pytest.fixture
def emulator(tmp_path):
    """An emulator without the demo's data, with rules of its own."""
    (tmp_path / "firebase.json").write_text('{"database":{"rules":"database.rules.json"}}')
    (tmp_path / "database.rules.json").write_text(json.dumps(RULES))
    emulator = Emulator(tmp_path, seed=False, runs_in=tmp_path)
    yield emulator
    emulator.stop()


def put(emulator, path, data, method="PUT", **query):
    text = "".join(f"&{name}={value}" for name, value in query.items())
    return emulator.request(method, "database", f"/{path}.json?format=export{text}", data)


def get(emulator, path):
    return put(emulator, path, None, "GET")


def node(page, key):
    """Returns the row of a node."""
    return page.locator(".node").filter(has=page.get_by_role("button", name=key, exact=True, include_hidden=True))


def value(page, key):
    return node(page, key).locator(".value")


def keys(page):
    return page.locator(".node .key").all_text_contents()


def open_node(page, key):
    node(page, key).get_by_role("button", name=key, exact=True).click()


def dialog(page, button):
    page.get_by_role("button", name=button, exact=True).click()
    opened = page.get_by_role("dialog")
    expect(opened).to_be_visible()
    return opened


def fill(dialog, data, **fields):
    """Fills in a dialog's value, a text or JSON."""
    for label, text in fields.items():
        dialog.get_by_label(label.capitalize(), exact=True).fill(text)
    is_text = isinstance(data, str)
    dialog.get_by_label("Type").select_option("text" if is_text else "json")
    dialog.get_by_label("Value").fill(data if is_text else json.dumps(data))


def confirm(dialog, action):
    dialog.get_by_role("button", name=action, exact=True).click()


def finish(dialog, action):
    confirm(dialog, action)
    expect(dialog).to_have_count(0)


def test_the_tree_is_live(page, emulator):
    put(emulator, "a", {"10": "ten", "9": "nine", "text": "so", "yes": True, "01": 1, "1": 1, "deep": {"er": {"x": 1}}})
    page.goto("/database")
    open_node(page, "a")
    expect(value(page, "text")).to_have_text('"so"')
    assert keys(page) == [NAME, "a", "1", "01", "9", "10", "deep", "text", "yes"]
    expect(value(page, "yes")).to_have_text("true")
    open_node(page, "deep")
    expect(value(page, "er")).to_have_text("1 child")
    put(emulator, "a", {"text": "changed", "new": {".value": 2.5, ".priority": "p"}, "10": None, "deep/er/y": 2}, "PATCH")
    expect(value(page, "text")).to_have_text('"changed"')
    expect(node(page, "new")).to_contain_text('2.5priority "p"')
    expect(value(page, "er")).to_have_text("2 children")
    expect(node(page, "10")).to_have_count(0)
    put(emulator, "a/text", None, "DELETE")
    expect(node(page, "text")).to_have_count(0)
    put(emulator, "a", "a value now")
    expect(value(page, "a")).to_have_text('"a value now"')
    assert keys(page) == [NAME, "a"]
    put(emulator, "", None, "DELETE")
    expect(page.get_by_text("There is no data here.")).to_be_visible()
    put(emulator, "back", 1)
    expect(value(page, "back")).to_have_text("1")


def test_a_node_has_a_page_of_its_own(page, emulator):
    put(emulator, "rooms", {"one & 1": {"x": {"y": 1}}, "two": 2})
    page.goto("/database")
    open_node(page, "rooms")
    page.get_by_role("link", name="one & 1", exact=True).click()
    expect(page).to_have_url("/database/rooms/one%20%26%201")
    expect(value(page, "x")).to_have_text("1 child")
    page.get_by_role("navigation", name="Path").get_by_role("link", name="rooms").click()
    expect(value(page, "two")).to_have_text("2")
    page.go_back()
    expect(value(page, "x")).to_be_visible()
    put(emulator, "", {"rooms": {"one & 1": "above"}})
    expect(value(page, "one & 1")).to_have_text('"above"')


def test_data_is_edited_added_and_deleted(page, emulator):
    put(emulator, "a", {"text": "two\nlines", "object": {"x": {".value": 1, ".priority": 3}}})
    page.goto("/database/a")
    edit = dialog(page, "Edit text")
    expect(edit.get_by_label("Value")).to_have_value("two\nlines")
    fill(edit, "« three »")
    finish(edit, "Save")
    expect(value(page, "text")).to_have_text('"« three »"')
    edit = dialog(page, "Edit object")
    assert json.loads(edit.get_by_label("Value").input_value()) == {"x": {".value": 1, ".priority": 3}}
    edit.get_by_label("Value").fill('{"x": 1,')
    confirm(edit, "Save")
    expect(edit.get_by_role("alert")).to_contain_text("This isn't JSON")
    fill(edit, {"x": [True, None, 2.5]})
    finish(edit, "Save")
    assert get(emulator, "a/object") == {"x": {"0": True, "2": 2.5}}

    add = dialog(page, "Add to object")
    fill(add, 7, key="x")
    confirm(add, "Add")
    expect(add.get_by_role("alert")).to_have_text("/a/object/x has data already: edit it.")
    fill(add, 7, key="a.b")
    confirm(add, "Add")
    expect(add.get_by_role("alert")).to_contain_text("keys can't have")
    page.context.problems.clear()
    fill(add, {"é": {".sv": "timestamp"}}, key="time")
    finish(add, "Add")
    assert get(emulator, "a/object/time/%C3%A9") > 1e12
    for number in range(2):
        add = dialog(page, "Add to a")
        fill(add, f"pushed {number}")
        finish(add, "Add")
    assert list(get(emulator, "a").values())[:2] == ["pushed 0", "pushed 1"]

    finish(dialog(page, "Delete object"), "Delete")
    expect(node(page, "object")).to_have_count(0)
    assert get(emulator, "a/object") is None
    finish(dialog(page, "Delete a"), "Delete")
    add = dialog(page, "Add…")
    fill(add, {"b": 1}, key="first")
    finish(add, "Add")
    expect(value(page, "first")).to_have_text("1 child")


def test_a_deletion_takes_no_unseen_change(page, emulator):
    put(emulator, "a", {"b": 1})
    page.goto("/database")
    delete = dialog(page, "Delete a")
    put(emulator, "a/c", 2)
    confirm(delete, "Delete")
    expect(delete.get_by_role("alert")).to_contain_text("has changed since")
    assert get(emulator, "a") == {"b": 1, "c": 2}
    finish(delete, "Delete")
    assert get(emulator, "a") is None
    # Chromium logs the refused request.
    page.context.problems.clear()


def test_an_address_that_names_no_node_says_why(page):
    page.goto("/database/a.b")
    expect(page.get_by_role("alert").filter(has_text="keys can't have")).to_be_visible()
    page.goto("/database/a%2Fb")
    expect(page.get_by_text("There is no data here.")).to_be_visible()
    expect(page.get_by_role("navigation", name="Path").get_by_role("link")).to_have_text([NAME, "a", "b"])


def test_an_edit_replaces_no_unseen_change(page, emulator):
    put(emulator, "n", 1)
    page.goto("/database")
    edit = dialog(page, "Edit n")
    put(emulator, "n", 2)
    fill(edit, 3)
    confirm(edit, "Save")
    expect(edit.get_by_role("alert")).to_contain_text("has changed since")
    assert get(emulator, "n") == 2
    finish(edit, "Save")
    assert get(emulator, "n") == 3
    # Chromium logs the refused request.
    page.context.problems.clear()


def test_a_user_sees_and_writes_what_the_rules_allow(page, emulator):
    put(emulator, "presence", {"sarah": {"online": True}, "marco": {"online": False}})
    page.goto("/database")
    expect(value(page, "presence")).to_be_visible()
    page.get_by_label("As", exact=True).fill("marco")
    page.get_by_label("As", exact=True).press("Enter")
    expect(page).to_have_url("/database?as=marco")
    expect(page.get_by_role("alert").filter(has_text="marco")).to_have_text(
        "Permission denied: the rules don't let marco read /."
    )
    page.goto("/database/presence?as=marco")
    open_node(page, "marco")
    edit = dialog(page, "Edit online")
    fill(edit, True)
    finish(edit, "Save")
    assert get(emulator, "presence/marco/online") is True
    delete = dialog(page, "Delete sarah")
    confirm(delete, "Delete")
    expect(delete.get_by_role("alert")).to_have_text("Permission denied")
    delete.get_by_role("button", name="Cancel").click()
    page.context.problems.clear()
    # Rules that no longer allow it end the listener.
    emulator.request("PUT", "database", "/.settings/rules.json", {"rules": {".read": False}})
    expect(page.get_by_text("the rules don't let marco read /presence")).to_be_visible()
    expect(page.get_by_text("Rules: set by a client")).to_be_visible()
    emulator.request("PUT", "database", "/.settings/rules.json", RULES)
    expect(value(page, "marco")).to_be_visible()
    emulator.request("PUT", "database", "/.settings/rules.json", {"rules": {".read": False}})
    expect(page.get_by_text("the rules don't let marco read /presence")).to_be_visible()
    page.goto("/status")
    expect(page.get_by_role("region", name="Database rules")).to_contain_text(f"Set by clients{NAME}")


def test_a_changed_rules_file_that_is_not_used_is_named(page, emulator):
    page.goto("/status")
    rules = page.get_by_role("region", name="Database rules")
    expect(rules.get_by_text("database.rules.json")).to_be_visible()
    (emulator.folder / "database.rules.json").write_text('{"rules": {".read": "skies"}}')
    expect(rules).to_contain_text("not used: the rules before it stay in force")
    expect(rules).to_contain_text("There is no variable 'skies' here.")
    (emulator.folder / "database.rules.json").write_text('{"rules": {".read": true}}')
    expect(rules).not_to_contain_text("not used")


def test_a_hundred_thousand_nodes(page, emulator):
    put(emulator, "many", {f"k{number:06}": {"n": number} for number in range(50_000)}, print="silent")
    page.goto("/database/many")
    expect(value(page, "many")).to_have_text("50,000 children")
    tree = page.get_by_role("list", name="Data")
    assert page.locator(".node").count() < 60
    tree.evaluate("(element) => element.scrollTop = element.scrollHeight")
    open_node(page, "k049999")
    tree.evaluate("(element) => element.scrollTop = element.scrollHeight")
    expect(value(page, "n")).to_have_text("49999")
    put(emulator, "many/k049999/n", 5)
    expect(value(page, "n")).to_have_text("5")
    assert page.locator(".node").count() < 60


def test_who_listens(page, emulator, chromium):
    put(emulator, "presence/sarah", True)
    page.goto("/database")
    listeners = page.get_by_role("region", name="Listeners")
    expect(listeners.get_by_role("row")).to_have_text(["WhoNodeQueryCount", "administrator/1"])
    expect(listeners.get_by_text("Rules: database.rules.json")).to_be_visible()
    others = chromium.new_context(base_url=emulator.url("ui"))
    for _ in range(2):
        others.new_page().goto("/database/presence?as=marco")
    expect(listeners.get_by_role("row", name="marco /presence 2")).to_be_visible()
    # A listener with a query, as one of an app.
    others.pages[0].evaluate(
        "(url) => new Promise((opened) => { window.source = new EventSource(url); source.onopen = opened; })",
        emulator.url("database", '/many.json?access_token=owner&orderBy="n"&startAt=1&limitToLast=3'),
    )
    expect(listeners.get_by_role("row", name='administrator /many limitToLast=3 orderByChild="n" startAt=1 1')).to_be_visible()
    others.close()
    expect(listeners.get_by_role("row")).to_have_count(2)


def test_databases_other_than_the_projects(page, emulator):
    page.goto("/database")
    names = page.get_by_role("combobox", name="Database")
    expect(names).to_be_hidden()
    put(emulator, "a", 1, ns="other")
    expect(names.get_by_role("option")).to_have_text([NAME, "other"])
    names.select_option("other")
    expect(page).to_have_url("/database?name=other")
    expect(value(page, "a")).to_have_text("1")
    edit = dialog(page, "Edit a")
    fill(edit, 2)
    finish(edit, "Save")
    assert put(emulator, "a", None, "GET", ns="other") == 2 and get(emulator, "a") is None


def test_export_and_import(page, emulator, tmp_path):
    data = {"text": "« é 😀 »", "list": {"0": 1, "2": {".value": True, ".priority": 5}}}
    put(emulator, "a", data)
    page.goto("/database/a")
    expect(node(page, "text")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == f"{NAME}-a.json"
    file = tmp_path / "export.json"
    download.value.save_as(file)
    assert json.loads(file.read_text()) == data
    put(emulator, "a", {"other": 1})
    load = dialog(page, "Import…")
    load.get_by_label("A JSON file").set_input_files(file)
    finish(load, "Import")
    assert get(emulator, "a") == data
    for name, text, reason in [("no.json", '{"a":', "JSON"), ("big.json", '"' + "x" * (11 << 20) + '"', "11 MiB")]:
        (tmp_path / name).write_text(text)
        load = dialog(page, "Import…")
        load.get_by_label("A JSON file").set_input_files(tmp_path / name)
        confirm(load, "Import")
        expect(load.get_by_role("alert")).to_contain_text(reason)
        load.get_by_role("button", name="Cancel").click()
    assert get(emulator, "a") == data
    page.context.problems.clear()


def test_the_page_survives_a_restart(page, emulator, tmp_path):
    emulator.stop()
    emulator.options += ["--data", tmp_path / "data"]
    emulator.start()
    put(emulator, "a", 1)
    page.goto("/database")
    expect(value(page, "a")).to_have_text("1")
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    put(emulator, "b", 2)
    expect(value(page, "b")).to_have_text("2")
    expect(value(page, "a")).to_have_text("1")
    # Chromium logs the refused connections.
    page.context.problems.clear()


def test_hostile_keys_and_texts_are_only_text(page, emulator):
    hostile = "<img src=x onerror=alert(1)>\u202e\u0000"
    put(emulator, "a", {"__proto__": {"x": hostile}, "constructor": 1, "<b>": "\u200b", "long": "x" * 100_000})
    page.goto("/database/a")
    expect(value(page, "long")).to_contain_text("xxx…")
    open_node(page, "__proto__")
    expect(value(page, "x")).to_contain_text("<img src=x onerror=alert(1)>RLO")
    expect(value(page, "<b>")).to_have_text('"ZWSP"')
    assert page.locator("main img").count() == 0
    put(emulator, "a/__proto__/x", "changed")
    expect(value(page, "x")).to_have_text('"changed"')


def test_axe_finds_nothing_serious(page, emulator):
    put(emulator, "a", {"text": "x", "map": {"b": 1}, "p": {".value": 1, ".priority": 2}})
    for theme in ["light", "dark"]:
        page.emulate_media(color_scheme=theme)
        for width in [1280, 360]:
            page.set_viewport_size({"width": width, "height": 800})
            page.goto("/database/a")
            expect(node(page, "text")).to_be_visible()
            serious = [rule for rule in Axe().run(page).response["violations"] if rule["impact"] in ("serious", "critical")]
            assert serious == []
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_an_event_shows_the_node_before_and_after(page, emulator):
    folder = emulator.folder / "functions"
    folder.mkdir()
    (folder / "seen").write_text("""#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{"contract":1,"name":"seen","triggers":[{"eventType":"google.firebase.database.ref.v1.written","ref":"a/{b}"}]}'
else
  cat > /dev/null; echo '{"status":"ok","exitCode":0}'
fi
""")
    (folder / "seen").chmod(0o755)
    emulator.stop()
    emulator.options += ["--functions", folder]
    emulator.start()
    put(emulator, "a/b", {"text": "before"})
    emulator.quiet()
    put(emulator, "a/b/text", "after")
    emulator.quiet()
    page.goto("/events")
    page.get_by_role("link", name="seen updated").click()
    page.get_by_text("a/b updated by an administrator").click()
    expect(page.locator("pre").first).to_contain_text('"before"')
    expect(page.locator("pre").nth(1)).to_contain_text('"after"')
    page.get_by_role("link", name="a/b", exact=True).click()
    expect(page).to_have_url(f"/database/a/b?name={NAME}")
    expect(value(page, "text")).to_have_text('"after"')
    # The function's test bench has an example of such an event.
    page.goto("/functions/seen")
    expect(page.get_by_text("written: a/{b} in the Realtime Database").first).to_be_attached()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("exit 0").first).to_be_visible()
