"""The page Storage: what it shows and writes is compared with the JSON API."""

import json
import re
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Emulator
from playwright.sync_api import expect

from objects import (
    BUCKET, change_object, get_content, get_object, object_names, object_path, picture, put_object, sound,
)

RULES = """rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /{name=**} { allow read: if %s; }
  }
}
"""
HTML = b"<!doctype html><script>document.title = 'run'; parent.hasRun = true</script><img src=x onerror=alert(1)>"


@pytest.fixture
def emulator(tmp_path):
    """An emulator without the demo's data, with rules of its own."""
    (tmp_path / "firebase.json").write_text('{"storage":{"rules":"storage.rules"}}')
    (tmp_path / "storage.rules").write_text(RULES % "false")
    emulator = Emulator(tmp_path, seed=False, runs_in=tmp_path)
    yield emulator
    emulator.stop()


def address(name="", bucket=BUCKET):
    return f"/storage?at=gs://{bucket}/{quote(name)}"


def objects(page):
    return page.get_by_role("region", name="Objects")


def row(page, name):
    """Returns the row of an object or folder."""
    return objects(page).get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def link(page, name):
    return objects(page).get_by_role("link", name=name, exact=True)


def detail(page):
    return page.get_by_role("region", name="Object", exact=True)


def fact(page, name):
    return detail(page).get_by_role("row", name=re.compile(f"^{name} ")).get_by_role("cell")


def crumbs(page):
    return page.get_by_role("navigation", name="Path").get_by_role("link")


def dialog(page, button):
    page.get_by_role("button", name=button, exact=True).click()
    opened = page.get_by_role("dialog")
    expect(opened).to_be_visible()
    return opened


def confirm(dialog, action):
    dialog.get_by_role("button", name=action, exact=True).click()


def finish(dialog, action):
    confirm(dialog, action)
    expect(dialog).to_have_count(0)


def choose(page, *files):
    """Chooses files, each a name, a type and the content."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload…", exact=True).click()
    chooser.value.set_files([{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files])


def drop(page, *files):
    """Drops files, each a name, a type and a text."""
    transfer = page.evaluate_handle("""(files) => {
        const transfer = new DataTransfer();
        for (const [name, type, text] of files) transfer.items.add(new File([text], name, { type }));
        return transfer;
    }""", files)
    for event in ["dragenter", "dragover"]:
        page.dispatch_event(".pane.list", event, {"dataTransfer": transfer})
    expect(page.locator(".pane.list")).to_have_class(re.compile("dropping"))
    page.dispatch_event(".pane.list", "drop", {"dataTransfer": transfer})


def uploads(page):
    return page.get_by_role("list", name="Uploads").get_by_role("listitem")


def test_folders_and_objects_have_addresses(page, emulator):
    put_object(emulator, "a/b/deep.txt", b"12345")
    put_object(emulator, "a/one.png", picture(), "image/png")
    put_object(emulator, "top.txt", b"x" * 2048)
    page.goto("/storage")
    expect(page.get_by_role("combobox", name="Bucket")).to_have_value(BUCKET)
    expect(row(page, "top.txt")).to_contain_text("2 KiBtext/plain")
    expect(row(page, "top.txt")).to_contain_text(re.compile(r"\d\d/\d\d/\d{4}, "))
    link(page, "a").click()
    expect(page).to_have_url(address("a/"))
    expect(objects(page).get_by_role("rowheader")).to_have_text(["b", "one.png"])
    link(page, "b").click()
    link(page, "deep.txt").click()
    expect(page).to_have_url(address("a/b/deep.txt"))
    expect(page).to_have_title(f"gs://{BUCKET}/a/b/deep.txt – Storage – WorldChat emulator")
    page.reload()
    expect(fact(page, "Size")).to_have_text("5 bytes")
    expect(crumbs(page)).to_have_text([BUCKET, "a", "b", "deep.txt"])
    expect(link(page, "deep.txt")).to_have_attribute("aria-current", "true")
    crumbs(page).get_by_text("a", exact=True).click()
    expect(objects(page).get_by_role("rowheader")).to_have_text(["b", "one.png"])
    expect(detail(page)).to_have_text("Select an object.")
    page.go_back()
    expect(fact(page, "Size")).to_have_text("5 bytes")


def test_the_bucket_is_chosen(page, emulator):
    emulator.request("POST", "storage", "/storage/v1/b", {"name": "others"})
    put_object(emulator, "only.txt", bucket="others")
    # The page begins with a bucket that has objects.
    page.goto("/storage")
    expect(link(page, "only.txt")).to_be_visible()
    names = page.get_by_role("combobox", name="Bucket")
    expect(names.get_by_role("option")).to_have_text([BUCKET, "demo-worldchat.firebasestorage.app", "others"])
    names.select_option(BUCKET)
    expect(page).to_have_url(address())
    expect(objects(page)).to_contain_text("This bucket is empty.Drop files here, or choose files to upload.")
    page.goto(address("a/b/"))
    expect(objects(page)).to_contain_text("There is nothing in this folder.")
    page.goto(address(bucket="missing-bucket"))
    expect(page.get_by_role("alert").filter(has_text="bucket does not exist")).to_be_visible()
    page.goto("/storage?at=a/b")
    expect(page.get_by_role("alert").filter(has_text="“a/b” isn't an address of the form gs://BUCKET/NAME.")).to_be_visible()
    page.context.problems.clear()


def test_a_long_list_is_shown_in_parts(page, emulator):
    for number in range(501):
        put_object(emulator, f"many/{number:03}", b"")
    put_object(emulator, "many/z/last.txt")
    page.goto(address("many/"))
    expect(objects(page).get_by_role("status")).to_have_text("The first 500")
    page.get_by_role("button", name="Show more").click()
    expect(objects(page).get_by_role("status")).to_have_text("502 entries")
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    expect(objects(page).get_by_role("rowheader").first).to_have_text("z")
    # A reload reads as much as was shown.
    put_object(emulator, "many/999", b"")
    page.get_by_role("button", name="Reload").click()
    expect(objects(page).get_by_role("status")).to_have_text("503 entries")


NAMES = [
    "a//b", "//", "a/", "a/ b ", "spaces in it.txt", "é 日本語 😀.txt", "e\u0301.txt", "%2F?#&+=;,:@!$'()*.txt", "a/..", "a/./b",
    "..b", "__proto__", "constructor", "<img src=x onerror=alert(1)>", "\u202egnp.exe", "long/" + "x" * 1_000, "\\back", "a\tb",
    "\u2028", "gs://x/y", "' \"",
]


def test_unusual_names_are_shown_and_reachable(page, emulator):
    for name in NAMES:
        put_object(emulator, name, name.encode())
    for name in NAMES:
        end = name.rindex("/", 0, -1) + 1 if "/" in name[:-1] else 0
        page.goto(address(name if name.endswith("/") else name[:end]))
        if name.endswith("/"):
            # The object with a folder's own name.
            link(page, "(no name)").last.click()
        else:
            objects(page).locator("a.name:not(.folder)").nth(sorted(
                (each for each in NAMES if each.startswith(name[:end]) and "/" not in each[end:]), key=str.encode,
            ).index(name)).click()
        expect(detail(page).get_by_label("Content")).to_have_text(name, use_inner_text=True)
        page.reload()
        expect(detail(page).get_by_label("Content")).to_have_text(name, use_inner_text=True)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    # Each folder on the way is a link.
    page.goto(address())
    link(page, "a").click()
    link(page, "(no name)").first.click()
    link(page, "b").click()
    expect(crumbs(page)).to_have_text([BUCKET, "a", "(no name)", "b"])
    assert page.locator("main img").count() == 0
    page.goto(address("\u202egnp.exe"))
    expect(detail(page).get_by_role("heading").first).to_have_text("RLOgnp.exe")


def test_a_long_name_leaves_room_for_the_object(page, emulator):
    name = "long/" + "wörd " * 150 + ".txt"
    put_object(emulator, name, b"content")
    page.goto(address(name))
    expect(detail(page).get_by_label("Content")).to_have_text("content")
    heading = detail(page).get_by_role("heading", level=2)
    folded = heading.bounding_box()["height"]
    assert folded < 60
    expect(detail(page).get_by_label("Content")).to_be_in_viewport()
    detail(page).get_by_role("button", name="Show the whole name").click()
    assert heading.bounding_box()["height"] > 4 * folded
    detail(page).get_by_role("button", name="Show less").click()
    assert heading.bounding_box()["height"] == folded
    # A short name needs no button.
    put_object(emulator, "short.txt", b"other")
    page.goto(address("short.txt"))
    expect(detail(page).get_by_label("Content")).to_have_text("other")
    expect(detail(page).get_by_role("button", name="Show the whole name")).to_be_hidden()


def test_files_are_uploaded_to_the_folder(page, emulator):
    page.goto(address("a/b/"))
    choose(page, ("one.png", "image/png", picture()), ("ü & 2.txt", "text/plain", b"two"), ("none", "", b""))
    expect(uploads(page)).to_have_count(3)
    expect(page.get_by_role("status").filter(has_text="3 uploaded")).to_be_visible()
    expect(objects(page).get_by_role("rowheader")).to_have_text(["none", "one.png", "ü & 2.txt"])
    assert get_object(emulator, "a/b/one.png")["contentType"] == "image/png"
    assert get_content(emulator, "a/b/one.png") == picture()
    assert get_content(emulator, "a/b/ü & 2.txt") == b"two"
    assert get_object(emulator, "a/b/none")["contentType"] == "application/octet-stream"
    drop(page, ["three.html", "text/html", "<b>3</b>"], ["four.txt", "text/plain", "4"])
    expect(link(page, "three.html")).to_be_visible()
    assert get_object(emulator, "a/b/three.html")["contentType"] == "text/html"
    uploads(page).get_by_role("link", name="a/b/four.txt").click()
    expect(detail(page).get_by_label("Content")).to_have_text("4")
    page.get_by_role("button", name="Remove a/b/four.txt").click()
    expect(uploads(page)).to_have_count(4)
    page.get_by_role("button", name="Remove from the list").click()
    expect(page.get_by_role("region", name="Uploads")).to_be_hidden()


def test_replacing_asks_first(page, emulator):
    put_object(emulator, "old.txt", b"old")
    page.goto(address())
    choose(page, ("old.txt", "text/plain", b"new"))
    ask = page.get_by_role("dialog")
    expect(ask).to_contain_text("Replace 1 object?")
    expect(ask.get_by_role("listitem")).to_have_text("old.txt")
    expect(ask.get_by_role("radio")).to_have_count(0)
    finish(ask, "Cancel")
    assert get_content(emulator, "old.txt") == b"old"
    choose(page, ("old.txt", "text/plain", b"new"), ("other.txt", "text/plain", b"other"))
    ask.get_by_role("radio", name="Upload only the other file").check()
    finish(ask, "Upload")
    expect(link(page, "other.txt")).to_be_visible()
    assert get_content(emulator, "old.txt") == b"old"
    choose(page, ("old.txt", "text/plain", b"new"), ("other.txt", "text/plain", b"other 2"))
    finish(ask, "Upload")
    expect(page.get_by_role("status").filter(has_text="3 uploaded")).to_be_visible()
    assert get_content(emulator, "old.txt") == b"new" and get_content(emulator, "other.txt") == b"other 2"
    # A change after the question is not replaced.
    choose(page, ("old.txt", "text/plain", b"newer"))
    expect(ask).to_be_visible()
    put_object(emulator, "old.txt", b"from another client")
    finish(ask, "Upload")
    expect(uploads(page).first).to_contain_text("was changed after the upload was chosen")
    assert get_content(emulator, "old.txt") == b"from another client"
    page.get_by_role("button", name="Try again old.txt").click()
    finish(ask, "Upload")
    expect(page.get_by_role("status").filter(has_text="4 uploaded")).to_be_visible()
    assert get_content(emulator, "old.txt") == b"newer"
    # Chromium logs the refused request.
    page.context.problems.clear()


def test_an_upload_is_cancelled(page, emulator):
    held = []
    page.route("**/upload/storage/**", lambda route: held.append(route))
    page.goto(address())
    choose(page, ("one.txt", "text/plain", b"12345"), ("two.txt", "text/plain", b"2"))
    expect(uploads(page).first).to_contain_text("0 bytes of 5 bytes")
    expect(page.get_by_role("progressbar", name="Upload of one.txt")).to_be_visible()
    expect(uploads(page).nth(1)).to_contain_text("waiting")
    expect(page.get_by_role("status").filter(has_text="2 to upload")).to_be_visible()
    page.get_by_role("button", name="Cancel two.txt").click()
    page.get_by_role("button", name="Cancel one.txt").click()
    expect(page.get_by_role("status").filter(has_text="2 cancelled")).to_be_visible()
    page.unroute("**/upload/storage/**")
    page.get_by_role("button", name="Try again one.txt").click()
    expect(link(page, "one.txt")).to_be_visible()
    assert object_names(emulator) == ["one.txt"]
    page.context.problems.clear()


def test_an_upload_goes_on_while_another_page_is_open(page, emulator):
    held = []
    page.route("**/upload/storage/**", lambda route: route.continue_() if held else held.append(route))
    page.goto(address())
    choose(page, ("one.txt", "text/plain", b"1"), ("two.txt", "text/plain", b"2"))
    expect(uploads(page).first).to_contain_text("0 bytes of 1 byte")
    page.get_by_role("link", name="Logs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Logs")
    held[0].continue_()
    page.get_by_role("link", name="Storage", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="2 uploaded")).to_be_visible()
    assert object_names(emulator) == ["one.txt", "two.txt"]


@pytest.mark.parametrize("status, message, words", [
    (507, "there is no space left on the disk", "The disk is full: free some space, then try again ("),
    (500, "the journal is closed", "the journal is closed"),
    (0, "", "The upload was interrupted"),
])
def test_an_upload_that_fails_says_why(page, emulator, status, message, words):
    def refuse(route):
        if status == 0:
            return route.abort()
        error = {"error": {"code": status, "message": message, "errors": [{"reason": "x"}]}}
        route.fulfill(status=status, json=error, headers={"access-control-allow-origin": "*"})

    page.route("**/upload/storage/**", refuse)
    page.goto(address())
    choose(page, ("one.txt", "text/plain", b"1"))
    expect(uploads(page).first).to_contain_text(words)
    expect(uploads(page).first).to_contain_text(message)
    page.unroute("**/upload/storage/**")
    page.get_by_role("button", name="Try again one.txt").click()
    expect(link(page, "one.txt")).to_be_visible()
    page.context.problems.clear()


def test_a_large_file_shows_its_progress(page, emulator, tmp_path):
    file = tmp_path / "large.bin"
    with open(file, "wb") as large:
        large.truncate(60 << 20)
    page.goto(address())
    expect(objects(page)).to_contain_text("This bucket is empty.")
    page.evaluate("""() => {
        window.seen = [];
        new MutationObserver(() => {
            const bar = document.querySelector(".uploads progress");
            if (bar && !bar.hidden) window.seen.push(bar.value);
        }).observe(document.querySelector(".uploads"), { subtree: true, childList: true, characterData: true });
    }""")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload…", exact=True).click()
    chooser.value.set_files(file)
    expect(uploads(page)).to_contain_text("60 MiB, uploaded")
    seen = page.evaluate("seen")
    assert any(0 < value < 60 << 20 for value in seen) and seen == sorted(seen)
    assert get_object(emulator, "large.bin")["size"] == str(60 << 20)


def test_previews(page, emulator):
    put_object(emulator, "p.png", picture(), "image/png")
    put_object(emulator, "t.txt", "<b>« é »</b>\n".encode() * 3)
    put_object(emulator, "j.json", json.dumps({"a": 1}).encode(), "application/json")
    put_object(emulator, "long.txt", "é".encode() * 200_000)
    put_object(emulator, "b.bin", b"\0\1", "application/octet-stream")
    put_object(emulator, "empty.txt", b"")
    page.goto(address("p.png"))
    image = detail(page).get_by_role("img", name="Preview of p.png")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("naturalWidth", 480)
    for name, text in [("t.txt", "<b>« é »</b>\n" * 3), ("j.json", '{"a": 1}')]:
        page.goto(address(name))
        expect(detail(page).get_by_label("Content")).to_have_text(text)
    page.goto(address("long.txt"))
    expect(detail(page).get_by_text("The first 256 KiB")).to_be_visible()
    assert detail(page).get_by_label("Content").inner_text() == "é" * (128 << 10)
    page.goto(address("b.bin"))
    expect(detail(page)).to_contain_text("There is no preview of the type application/octet-stream.")
    page.goto(address("empty.txt"))
    expect(detail(page)).to_contain_text("The object is empty.")
    page.goto(address("missing.txt"))
    expect(detail(page)).to_contain_text("There is no object of this name")


def test_sound_is_played(page, emulator):
    put_object(emulator, "s.wav", sound(seconds=1), "audio/wav")
    page.goto(address("s.wav"))
    audio = detail(page).get_by_label("Preview of s.wav")
    expect(audio).to_have_js_property("duration", 1)
    put_object(emulator, "v.webm", b"no video", "video/webm")
    page.goto(address("v.webm"))
    expect(detail(page)).to_contain_text("The content can't be shown as video/webm")


@pytest.mark.parametrize("kind", ["image/png", "image/svg+xml", "text/html", "text/plain", "video/mp4", "application/xhtml+xml"])
def test_a_hostile_file_runs_no_script(page, emulator, kind):
    content = HTML
    if "xml" in kind:
        root = "svg" if "svg" in kind else "html"
        place = "http://www.w3.org/2000/svg" if root == "svg" else "http://www.w3.org/1999/xhtml"
        content = f'<{root} xmlns="{place}" width="9" height="9"><script>parent.hasRun = true; alert(1)</script></{root}>'.encode()
    put_object(emulator, "x.png", content, kind)
    page.on("dialog", lambda opened: pytest.fail("a script has run"))
    page.goto(address("x.png"))
    if kind in ("image/png", "video/mp4"):
        expect(detail(page)).to_contain_text(f"The content can't be shown as {kind}")
    elif kind == "image/svg+xml":
        expect(detail(page).get_by_role("img")).to_have_js_property("naturalWidth", 9)
    else:
        expect(detail(page).get_by_label("Content")).to_have_text(content.decode())
    assert page.evaluate("window.hasRun") is None
    assert page.title().startswith("gs://")
    # Its link runs none either.
    emulator.request("POST", "storage", f"/v0/b/{BUCKET}/o/x.png?create_token=true")
    page.get_by_role("button", name="Reload").click()
    with page.expect_popup() as popup:
        detail(page).get_by_role("link", name="/v0/b/").click()
    popup.value.wait_for_load_state()
    assert popup.value.title() != "run"
    # Chromium logs the scripts that the policy blocks.
    page.context.problems.clear()


def test_metadata_is_shown_and_edited(page, emulator):
    put_object(emulator, "a.txt", b"hello")
    change_object(emulator, "a.txt", metadata={"kept": "1", "changed": "two\nlines", "removed": "3"}, contentLanguage="it")
    page.goto(address("a.txt"))
    before = get_object(emulator, "a.txt")
    for name, value in [
        ("Size", "5 bytes"), ("Type", "text/plain"), ("Language", "it"), ("Generation", before["generation"]),
        ("Metageneration", "2"), ("MD5", before["md5Hash"]), ("CRC-32C", before["crc32c"]), ("kept", "1"), ("removed", "3"),
    ]:
        expect(fact(page, name)).to_have_text(value)
    expect(fact(page, "changed")).to_have_text("two\nlines", use_inner_text=True)

    edit = dialog(page, "Edit…")
    for label, value in [("Type", "text/html"), ("Cache-Control", "no-store"), ("Disposition", "attachment"), ("Language", "")]:
        edit.get_by_label(label, exact=True).fill(value)
    edit.get_by_role("group", name="changed").get_by_label("Value").fill("« é »")
    edit.get_by_role("button", name="Remove removed").click()
    edit.get_by_role("button", name="Add custom metadata").click()
    added = edit.get_by_role("group", name="New custom metadata")
    expect(added.get_by_label("Name")).to_be_focused()
    added.get_by_label("Name").fill("kept")
    added.get_by_label("Value").fill("new")
    confirm(edit, "Save")
    expect(edit.get_by_role("alert")).to_have_text("“kept” is there twice.")
    added.get_by_label("Name").fill("")
    confirm(edit, "Save")
    expect(edit.get_by_role("alert")).to_have_text("The value “new” needs a name.")
    added.get_by_label("Name").fill("firebaseStorageDownloadTokens")
    confirm(edit, "Save")
    expect(edit.get_by_role("alert")).to_contain_text("change them under Links")
    added.get_by_label("Name").fill("__proto__")
    finish(edit, "Save")
    expect(fact(page, "Type")).to_have_text("text/html")
    expect(row(page, "a.txt")).to_contain_text("text/html")
    after = get_object(emulator, "a.txt")
    assert after["metadata"] == {"kept": "1", "changed": "« é »", "__proto__": "new"}
    assert (after["contentType"], after["cacheControl"], after["contentDisposition"]) == ("text/html", "no-store", "attachment")
    assert "contentLanguage" not in after and after["metageneration"] == "3"
    # A dialog without changes sends nothing.
    finish(dialog(page, "Edit…"), "Save")
    assert get_object(emulator, "a.txt")["metageneration"] == "3"
    # What the service refuses is said in the dialog.
    edit = dialog(page, "Edit…")
    edit.get_by_label("Type", exact=True).fill("x" * 2_000)
    confirm(edit, "Save")
    expect(edit.get_by_role("alert")).to_contain_text("contentType is not a text of at most 1024 bytes")
    page.context.problems.clear()


def test_links_are_created_copied_and_revoked(page, context, emulator):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    put_object(emulator, "a b/é.txt", b"hello")
    page.goto(address("a b/é.txt"))
    links = detail(page).get_by_role("region", name="Links")
    expect(links.get_by_role("listitem")).to_have_count(0)
    for count in [1, 2]:
        links.get_by_role("button", name="New link").click()
        expect(links.get_by_role("listitem")).to_have_count(count)
        expect(links.get_by_role("button", name="New link")).to_be_focused()
    # It is no change of the metadata.
    expect(fact(page, "Metageneration")).to_have_text("1")
    links.get_by_role("button", name="Copy the link").first.click()
    expect(links.get_by_role("button", name="Copy the link").first).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    tokens = get_object(emulator, "a b/é.txt")["metadata"]["firebaseStorageDownloadTokens"].split(",")
    assert copied == emulator.url("storage", f"/v0/b/{BUCKET}/o/a%20b%2F%C3%A9.txt?alt=media&token={tokens[0]}")
    # The rules allow nothing, but the link works.
    assert context.request.get(copied).text() == "hello"
    revoke = links.get_by_role("button", name="Revoke…")
    revoke.first.click()
    finish(page.get_by_role("dialog"), "Revoke")
    expect(links.get_by_role("listitem")).to_have_count(1)
    assert context.request.get(copied).status == 403
    revoke.click()
    expect(page.get_by_role("dialog")).to_contain_text("It is the last one, so the object gets a new one.")
    finish(page.get_by_role("dialog"), "Revoke")
    expect(links.get_by_role("link")).not_to_have_text(re.compile(re.escape(tokens[1])))
    expect(links.get_by_role("listitem")).to_have_count(1)


def test_an_object_is_downloaded(page, emulator, tmp_path):
    put_object(emulator, "a//b c.png", picture(), "image/png")
    page.goto(address("a//b c.png"))
    with page.expect_download() as download:
        detail(page).get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "b c.png"
    download.value.save_as(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == picture()


def test_an_object_is_deleted(page, emulator):
    put_object(emulator, "a/one.txt")
    put_object(emulator, "a/two.txt")
    page.goto(address("a/one.txt"))
    delete = dialog(page, "Delete…")
    put_object(emulator, "a/one.txt", b"changed")
    confirm(delete, "Delete")
    expect(delete.get_by_role("alert")).to_contain_text("has changed since")
    finish(delete, "Delete")
    expect(page).to_have_url(address("a/"))
    expect(objects(page).get_by_role("rowheader")).to_have_text(["two.txt"])
    assert object_names(emulator) == ["a/two.txt"]
    # Chromium logs the refused request.
    page.context.problems.clear()


def test_a_selection_and_folders_are_deleted(page, emulator):
    for name in ["a/1", "a/b/2", "a//3", "c", "d", "e/4", "f"]:
        put_object(emulator, name)
    page.goto(address())
    for name in ["a", "c"]:
        row(page, name).get_by_role("checkbox").check()
    delete = dialog(page, "Delete 2 selected…")
    expect(delete).to_contain_text("This deletes everything in the folder: 4 objects in all.")
    finish(delete, "Delete 4 objects")
    expect(objects(page).get_by_role("rowheader")).to_have_text(["e", "d", "f"])
    expect(page.get_by_role("button", name="selected…")).to_be_hidden()
    row(page, "d").get_by_role("checkbox").check()
    delete = dialog(page, "Delete 1 selected…")
    expect(delete.get_by_role("heading")).to_have_text("Delete d?")
    finish(delete, "Delete 1 object")
    assert object_names(emulator) == ["e/4", "f"]
    # An object that has changed since it was counted stays.
    page.get_by_role("checkbox", name="Select all").check()
    delete = dialog(page, "Delete 2 selected…")
    put_object(emulator, "f", b"changed")
    confirm(delete, "Delete 2 objects")
    expect(delete.get_by_role("alert")).to_contain_text("f has changed meanwhile. ")
    delete.get_by_role("button", name="Cancel").click()
    assert "f" in object_names(emulator)
    page.context.problems.clear()


def test_two_windows(page, context, emulator):
    put_object(emulator, "a.txt", b"one")
    page.goto(address("a.txt"))
    edit = dialog(page, "Edit…")
    edit.get_by_label("Language", exact=True).fill("it")
    other = context.new_page()
    other.goto(address("a.txt"))
    theirs = dialog(other, "Edit…")
    theirs.get_by_label("Language", exact=True).fill("fr")
    finish(theirs, "Save")
    confirm(edit, "Save")
    expect(edit.get_by_role("alert")).to_contain_text("has changed since this dialog was opened")
    assert get_object(emulator, "a.txt")["contentLanguage"] == "fr"
    finish(edit, "Save")
    expect(fact(page, "Language")).to_have_text("it")
    # The window that gets the focus shows what the other has changed.
    choose(page, ("b.txt", "text/plain", b"b"), ("a.txt", "text/plain", b"two"))
    finish(page.get_by_role("dialog"), "Upload")
    expect(link(page, "b.txt")).to_be_visible()
    expect(detail(page).get_by_label("Content")).to_have_text("two")
    expect(link(other, "b.txt")).to_have_count(0)
    other.evaluate("dispatchEvent(new Event('focus'))")
    expect(link(other, "b.txt")).to_be_visible()
    expect(detail(other).get_by_label("Content")).to_have_text("two")
    other.get_by_role("button", name="Reload").click()
    finish(dialog(other, "Delete…"), "Delete")
    page.get_by_role("button", name="Reload").click()
    expect(detail(page)).to_contain_text("There is no object of this name")
    expect(link(page, "a.txt")).to_have_count(0)
    # Chromium logs the refused request.
    page.context.problems.clear()


def test_a_selection_survives_a_reload_of_the_list(page, emulator):
    for name in ["a", "b", "c"]:
        put_object(emulator, name)
    page.goto(address())
    for name in ["a", "b"]:
        row(page, name).get_by_role("checkbox").check()
    emulator.request("DELETE", "storage", object_path("a"))
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_role("button", name="Delete 1 selected…")).to_be_visible()
    expect(row(page, "b").get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Select all")).to_have_js_property("indeterminate", True)


def test_the_page_is_used_by_keyboard(page, emulator):
    put_object(emulator, "a/b.txt", b"hello")
    page.goto(address())
    link(page, "a").focus()
    page.keyboard.press("Enter")
    row(page, "b.txt").get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(link(page, "b.txt")).to_be_focused()
    page.keyboard.press("Enter")
    expect(detail(page).get_by_label("Content")).to_have_text("hello")
    page.get_by_role("button", name="Delete 1 selected…").press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert object_names(emulator) == ["a/b.txt"]


def test_the_page_survives_a_restart(page, emulator, tmp_path):
    emulator.stop()
    emulator.options += ["--data", tmp_path / "data"]
    emulator.start()
    put_object(emulator, "a.txt", b"hello")
    page.goto(address("a.txt"))
    expect(detail(page).get_by_label("Content")).to_have_text("hello")
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    put_object(emulator, "b.txt")
    page.get_by_role("button", name="Reload").click()
    expect(link(page, "b.txt")).to_be_visible()
    expect(detail(page).get_by_label("Content")).to_have_text("hello")
    # Chromium logs the refused connections.
    page.context.problems.clear()


def test_without_storage_the_page_says_how_to_start_it(page):
    def without_storage(route):
        status = route.fetch().json()
        del status["services"]["storage"]
        route.fulfill(json=status)

    page.route("**/api/status", without_storage)
    page.goto("/storage")
    expect(page.get_by_role("main")).to_contain_text("Cloud Storage isn't started.")
    expect(page.get_by_role("main")).to_contain_text("emulator start --only auth,database,firestore,functions,ui,storage")


def test_the_rules_on_the_status_page(page, emulator):
    page.goto("/status")
    rules = page.get_by_role("region", name="Storage rules")
    expect(rules.get_by_text("storage.rules")).to_be_visible()
    (emulator.folder / "storage.rules").write_text(RULES % "(")
    expect(rules).to_contain_text("not used: the rules before it stay in force")
    (emulator.folder / "storage.rules").write_text(RULES % "true")
    expect(rules).not_to_contain_text("not used")
    file = {"name": "mine.rules", "content": RULES % "true"}
    emulator.request("PUT", "storage", "/internal/setRules", {"rules": {"files": [file]}})
    expect(rules).to_contain_text("These rules hold for all buckets, instead of the files.")
    report = emulator.request("GET", "ui", "/api/storage")
    assert BUCKET in report["buckets"] and report["rules"]["source"] == "file"


def test_axe_finds_nothing_serious(page, emulator):
    put_object(emulator, "a/p.png", picture(), "image/png")
    change_object(emulator, "a/p.png", metadata={"uploader": "sarah"})
    put_object(emulator, "a/" + "long" * 200, b"x")
    put_object(emulator, "a/b/c", b"x")
    emulator.request("POST", "storage", f"/v0/b/{BUCKET}/o/a%2Fp.png?create_token=true")

    def check():
        violations = Axe().run(page).response["violations"]
        assert [rule for rule in violations if rule["impact"] in ("serious", "critical")] == []
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")

    for theme in ["light", "dark"]:
        page.emulate_media(color_scheme=theme)
        for width in [1280, 360]:
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(address("a/"))
            row(page, "b").get_by_role("checkbox").check()
            check()
            page.goto(address("nothing/"))
            expect(page.get_by_text("There is nothing in this folder.")).to_be_visible()
            check()
            page.goto(address("a/p.png"))
            expect(detail(page).get_by_role("listitem")).to_be_visible()
            check()
            dialog(page, "Edit…")
            check()
