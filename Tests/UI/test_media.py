"""Pictures, audio and videos in the chat, with WorldChat's rules of Cloud Storage."""

import base64
import json
import re
import urllib.parse
import urllib.request

import pytest
from objects import sound
from people import PROJECT, token
from playwright.sync_api import expect
from test_chat import (
    KEEP_BANNERS, check, choose_in_menu, documents, go_offline, message, open_chat, own, phone, string, write,
)
from test_sign_in import expire_tokens
from uploads import Uploads, delete, file, objects, plain, read, read_by_name, set_rules

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
CHUNK = 256 * KIBIBYTE
MESSAGES = "conversations/sarah-marco/messages"
# Six chunks.
LARGE = plain(700, 700, is_compressed=False)
REFUSING = """rules_version = '2';
service firebase.storage { match /b/{bucket}/o { match /{file=**} { allow read, write: if false; } } }
"""


def attach(phone, *files):
    phone.get_by_label("Picture, audio or video").first.set_input_files(list(files))


def send_file(phone, attached, text=""):
    attach(phone, attached)
    expect(phone.get_by_role("group", name="Attached file")).to_contain_text(attached["name"])
    phone.get_by_role("textbox", name="Message").fill(text)
    phone.get_by_role("button", name="Send").click()


def pictures(phone):
    return phone.get_by_role("log").get_by_role("img")


def is_shown(picture):
    """Returns whether a picture is loaded, once the browser has decided."""
    return picture.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0, () => false)")


def sent(emulator, conversation="sarah-marco"):
    """Returns the fields of the messages with media."""
    messages = documents(emulator, f"conversations/{conversation}/messages").values()
    return [one["fields"] for one in messages if "mediaURL" in one["fields"]]


def avatar_dialog(phone):
    choose_in_menu(phone, "Profile picture")
    return phone.page.get_by_role("dialog", name="Profile picture")


def choose_avatar(dialog, avatar):
    dialog.get_by_label("Picture file").set_input_files(avatar)


@pytest.mark.parametrize("is_compressed", [True, False])
def test_a_profile_picture_is_shown_wherever_the_person_is(page, emulator, is_compressed):
    open_chat(page, emulator, "sarah:trip,marco:trip")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    dialog = avatar_dialog(sarah)
    expect(dialog.get_by_role("button", name="Remove the picture")).not_to_be_visible()
    choose_avatar(dialog, file("Me.PNG", plain(600, 600, is_compressed=is_compressed), "image/png"))
    shown = dialog.locator(".avatar img")
    expect(shown).to_have_count(1)
    assert is_shown(shown)
    [first] = objects(emulator)
    assert re.fullmatch(r"avatars/sarah/[A-Za-z0-9]{20}\.png", first)
    url = emulator.get("users/sarah")["profilePictureURL"]["stringValue"]
    assert read(url) == (200, plain(600, 600, is_compressed=is_compressed))
    page.keyboard.press("Escape")

    # In a message, in the list of members, in the header and in the list of chats.
    assert is_shown(marco.locator(".message .avatar img").first)
    marco.get_by_role("button", name="Details").click()
    assert is_shown(page.get_by_role("dialog").get_by_role("listitem").filter(has_text="Sarah").locator(".avatar img"))
    page.keyboard.press("Escape")
    marco.get_by_role("button", name="All conversations").click()
    row = marco.locator(".conversations").get_by_role("button", name="Sarah")
    assert is_shown(row.locator(".avatar img"))
    row.click()
    assert is_shown(marco.locator(".conversation > header .avatar img"))

    # The next picture replaces the first, whose file is deleted.
    dialog = avatar_dialog(sarah)
    choose_avatar(dialog, file("me.jpeg", plain(color=(0, 90, 200)), "image/jpeg"))
    replaced = urllib.parse.quote(first, safe="")
    expect(marco.locator(f".conversation > header img[src*='{replaced}']")).to_have_count(0)
    expect(dialog.get_by_role("button", name="Choose a picture")).to_be_visible()
    [second] = objects(emulator)
    assert second != first and second.endswith(".jpeg")
    assert second.replace("/", "%2F") in emulator.get("users/sarah")["profilePictureURL"]["stringValue"]

    dialog.get_by_role("button", name="Remove the picture").click()
    expect(dialog.locator(".avatar")).to_have_text("S")
    expect(dialog.get_by_role("button", name="Remove the picture")).not_to_be_visible()
    expect(marco.locator(".conversation > header .avatar")).to_have_text("S")
    assert objects(emulator) == {}
    assert "profilePictureURL" not in emulator.get("users/sarah")


def test_a_profile_picture_that_is_missing_or_elsewhere_is_an_initial(context, page, emulator):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    missing = emulator.url("storage", f"/v0/b/{PROJECT}.appspot.com/o/avatars%2Fsarah%2Fgone.png?alt=media&token=x")
    for uid, url in [("sarah", missing), ("marco", "https://elsewhere.example/marco.jpg")]:
        emulator.write(f"users/{uid}", emulator.get(f"users/{uid}") | {"profilePictureURL": string(url)})
    with page.expect_request(lambda request: request.url == missing):
        open_chat(page, emulator, "marco,sarah")
    expect(phone(page, "Marco").locator(".avatar").filter(has_text="S")).to_have_count(1)
    expect(phone(page, "Sarah").locator(".avatar").filter(has_text="M")).to_have_count(1)
    expect(page.locator(".avatar img")).to_have_count(0)
    assert not any("elsewhere" in url for url in asked)
    # Chromium logs the missing picture.
    context.problems.clear()


def test_a_refused_profile_picture_is_refused_with_words(context, page, emulator):
    open_chat(page, emulator, "sarah")
    dialog = avatar_dialog(phone(page, "Sarah"))
    problem = dialog.get_by_role("alert")
    for avatar, words in [
        (file("notes.pdf", b"%PDF", "application/pdf"), "“notes.pdf” isn't a picture."),
        (file("logo.svg", b"<svg/>", "image/svg+xml"),
         "“logo.svg” can't be used: an SVG file may contain scripts."),
        (file("empty.png", b"", "image/png"), "“empty.png” is empty."),
        (file("huge.png", bytes(5 * MEBIBYTE + 1), "image/png"),
         "“huge.png” is too large: a profile picture may have at most 5 MiB."),
    ]:
        choose_avatar(dialog, avatar)
        expect(problem).to_have_text(words)
    assert objects(emulator) == {}
    # The largest one is allowed.
    choose_avatar(dialog, file("large.png", bytes(5 * MEBIBYTE), "image/png"))
    expect(dialog.get_by_role("button", name="Remove the picture")).to_be_visible()
    expect(problem).to_have_text("")
    [large] = objects(emulator)
    set_rules(emulator, REFUSING)
    choose_avatar(dialog, file("small.png", plain(), "image/png"))
    expect(problem).to_have_text("The security rules refuse this file.")
    assert list(objects(emulator)) == [large]
    context.problems.clear()


def test_the_upload_of_a_profile_picture_can_be_cancelled(page, emulator):
    uploads = Uploads(page)
    open_chat(page, emulator, "sarah")
    uploads.hold(2 * CHUNK)
    dialog = avatar_dialog(phone(page, "Sarah"))
    choose_avatar(dialog, file("large.png", LARGE, "image/png"))
    uploads.wait_for_held()
    assert 0.3 < float(dialog.get_by_role("progressbar").get_attribute("value")) < 0.4
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog.get_by_role("button", name="Choose a picture")).to_be_focused()
    expect(dialog.get_by_role("progressbar")).not_to_be_visible()
    while uploads.names()[-1] != "cancel":
        page.wait_for_timeout(20)
    assert objects(emulator) == {} and "profilePictureURL" not in emulator.get("users/sarah")


def test_a_picture_reaches_a_group_of_three_languages(page, emulator):
    page.add_init_script(KEEP_BANNERS)
    open_chat(page, emulator, "sarah:trip,marco,lea")
    sarah, marco, lea = phone(page, "Sarah"), phone(page, "Marco"), phone(page, "Léa")
    send_file(sarah, file("beach.png", plain(), "image/png"))
    row = marco.locator(".conversations").get_by_role("button", name="Trip to Rome")
    expect(row.locator(".last")).to_have_text("Foto")
    marco.get_by_role("button", name="Trip to Rome Sarah: 📷 Foto").click()
    picture = marco.get_by_role("img", name="Photo from Sarah")
    assert is_shown(picture)
    assert is_shown(sarah.get_by_role("img", name="Your picture"))
    expect(lea.get_by_role("button", name="Trip to Rome Sarah: 📷 Photo")).to_be_visible()
    expect(lea.locator(".conversations .last")).to_have_text("Photo")
    expect(lea.locator(".conversations .last .kind.photo")).to_be_visible()

    emulator.quiet()
    [message] = sent(emulator, "trip")
    assert message["text"] == string("") and message["mediaType"] == string("image/png")
    [name] = objects(emulator, "conversations/trip/media/")
    assert re.fullmatch(r"conversations/trip/media/[A-Za-z0-9]{20}\.png", name)
    assert objects(emulator)[name]["metadata"]["uploader"] == "sarah"
    assert message["mediaURL"]["stringValue"].startswith(emulator.url("storage", "/v0/b/"))
    bodies = pushes(emulator)
    assert bodies["marco-phone"] == bodies["jonas-phone"] == "Sarah: 📷 Foto"
    assert bodies["lea-phone"] == "Sarah: 📷 Photo"
    # Only https links are given to phones.
    inbox = emulator.request("GET", "functions", "/providers/fcm/inbox")["messages"]
    assert all("image" not in push["message"].get("notification", {}) for push in inbox)

    # A text with the next picture is translated, and the list shows both.
    send_file(sarah, file("cat.png", plain(), "image/png"), "Thank you so much!")
    expect(marco.get_by_text("Grazie mille!")).to_have_count(2)
    last = lea.locator(".conversations .last")
    expect(last).to_have_text("Merci beaucoup !")
    expect(last.get_by_role("img", name="Photo:")).to_be_visible()

    # A click shows the picture large.
    picture.first.click()
    dialog = page.get_by_role("dialog", name="Photo from Sarah")
    large = dialog.get_by_role("img", name="Photo from Sarah")
    assert is_shown(large)
    # The dialog is hardly wider than a small picture or the dialog's title.
    widest = max(large.bounding_box()["width"], 300)
    assert dialog.bounding_box()["width"] < widest + 64
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def pushes(emulator):
    """Returns the body of each phone's last visible push."""
    inbox = emulator.request("GET", "functions", "/providers/fcm/inbox")["messages"]
    shown = [push for push in inbox if "notification" in push["message"]]
    return {push["token"]: push["message"]["notification"]["body"] for push in shown}


def test_a_stranger_is_refused_unless_somebody_passes_the_link_on(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    send_file(phone(page, "Sarah"), file("a.png", plain(), "image/png"))
    assert is_shown(pictures(phone(page, "Marco")))
    [name] = objects(emulator)
    for uid, status in [("sarah", 200), ("marco", 200), ("jonas", 403), (None, 403)]:
        assert read_by_name(emulator, name, uid)[0] == status
    assert read_by_name(emulator, name, "marco")[1] == plain()
    assert b"PNG" not in read_by_name(emulator, name, "jonas")[1]
    link = sent(emulator)[0]["mediaURL"]["stringValue"]
    assert read(link) == read(link, "jonas") == (200, plain())
    forged = re.sub("token=[^&]*", "token=forged", link)
    assert read(forged)[0] == read(forged, "jonas")[0] == 403


def test_what_is_too_large_or_of_another_type_is_refused_with_words(context, page, emulator):
    uploads = Uploads(page)
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    problem = sarah.get_by_role("alert")
    for attached, words in [
        (file("notes.pdf", b"%PDF", "application/pdf"), "can't be sent: only pictures, audio and videos can."),
        (file("page.html", b"<html>", "text/html"), "can't be sent: only pictures, audio and videos can."),
        (file("logo.svg", b"<svg/>", "image/svg+xml"), "can't be sent: an SVG file may contain scripts."),
        (file("film.mp4", bytes(10 * MEBIBYTE + 1), "video/mp4"),
         "is too large: a picture, audio or video may have at most 10 MiB."),
        (file("none.png", b"", "image/png"), "is empty."),
    ]:
        attach(sarah, attached)
        expect(problem).to_have_text(f"“{attached['name']}” {words}")
        expect(sarah.get_by_role("group", name="Attached file")).not_to_be_visible()
    assert uploads.commands == []
    # What the page would let pass, the rules may refuse.
    set_rules(emulator, REFUSING)
    send_file(sarah, file("a.png", plain(), "image/png"))
    failed = sarah.locator(".message.own").filter(has_text="Not sent")
    expect(failed.get_by_role("alert")).to_have_text("The security rules refuse this file.")
    assert uploads.names() == ["start"]
    set_rules(emulator, (emulator.runs_in / "storage.rules").read_text())
    failed.get_by_role("button", name="Try again").click()
    expect(own_media(sarah).get_by_text(re.compile("Sent"))).to_be_visible()
    assert len(objects(emulator)) == len(sent(emulator)) == 1
    context.problems.clear()


def own_media(phone):
    return phone.locator(".message.own").filter(has=phone.page.locator(".media:visible"))


def test_a_full_disk_is_said_in_words(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    page.route("**/v0/b/**", lambda route: route.fulfill(status=507, json={
        "error": {"code": 507, "message": "insufficientStorage"},
    }))
    send_file(sarah, file("a.png", plain(), "image/png"))
    expect(sarah.locator(".message").get_by_role("alert")).to_contain_text("The disk of the emulator is full")
    page.unroute_all()
    sarah.get_by_role("button", name="Try again").click()
    expect(own_media(sarah).get_by_text("Sent")).to_be_visible()
    context.problems.clear()


def test_the_largest_file_is_sent(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco")
    send_file(phone(page, "Sarah"), file("film.mp4", bytes(10 * MEBIBYTE), "video/mp4"))
    expect(own_media(phone(page, "Sarah")).get_by_text("Sent")).to_be_visible()
    [stored] = objects(emulator).values()
    assert stored["size"] == str(10 * MEBIBYTE) and stored["contentType"] == "video/mp4"


@pytest.mark.parametrize("outage", ["phone", "browser", "storage", "reload"])
def test_an_upload_that_is_interrupted_continues_where_it_stopped(context, page, emulator, outage):
    uploads = Uploads(page)
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    uploads.hold(3 * CHUNK)
    send_file(sarah, file("large.png", LARGE, "image/png"), "Thank you so much!")
    row = own(sarah, "Thank you so much!")
    uploads.wait_for_held()
    bar = row.get_by_role("progressbar", name="Upload")
    expect(bar).to_have_attribute("value", str(3 * CHUNK))
    expect(row.get_by_text("Sending")).to_be_visible()
    assert is_shown(row.get_by_role("img", name="Your picture"))

    if outage in ("phone", "reload"):
        go_offline(sarah)
    elif outage == "browser":
        context.set_offline(True)
    uploads.cut()
    if outage == "reload":
        page.reload()
    expect(row.get_by_text("Waiting")).to_be_visible()
    assert is_shown(row.get_by_role("img", name="Your picture"))
    # Texts needn't wait for the file, if they can be sent at all.
    if outage == "storage":
        write(sarah, "See you tomorrow!")
        expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    assert sent(emulator) == [] and objects(emulator) == {}

    uploads.is_cut = False
    before = len(uploads.commands)
    if outage in ("phone", "reload"):
        sarah.get_by_role("switch", name="Offline").check()
    elif outage == "browser":
        context.set_offline(False)
    received = marco.locator(".message").filter(has_text="Grazie mille!")
    assert is_shown(received.get_by_role("img", name="Photo from Sarah"))
    expect(row.get_by_text("Read")).to_be_visible()
    expect(bar).to_have_count(0)
    # Nothing that had arrived is sent again.
    after = [command for command in uploads.commands[before:] if command != ("query", None)]
    assert after == [("upload", 3 * CHUNK), ("upload", 4 * CHUNK), ("upload, finalize", 5 * CHUNK)]
    assert uploads.names().count("start") == 1 and ("query", None) in uploads.commands
    emulator.quiet()
    [message] = sent(emulator)
    assert read(message["mediaURL"]["stringValue"]) == (200, LARGE)
    assert len(objects(emulator)) == 1
    context.problems.clear()


def test_messages_with_files_that_are_written_offline_are_sent_later(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    go_offline(sarah)
    send_file(sarah, file("a.png", plain(), "image/png"), "First")
    send_file(sarah, file("b.png", plain(), "image/png"), "Second")
    write(sarah, "Third")
    expect(sarah.get_by_text("Waiting")).to_have_count(3)
    page.reload()
    expect(sarah.get_by_text("Waiting")).to_have_count(3)
    for picture in pictures(sarah).all():
        assert is_shown(picture)
    sarah.get_by_role("switch", name="Offline").check()
    for text in ["First", "Second", "Third"]:
        expect(own(sarah, text).get_by_text("Read")).to_be_visible()
    expect(pictures(marco)).to_have_count(2)
    assert len(objects(emulator)) == len(sent(emulator)) == 2
    # The browser keeps nothing that is sent.
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('chat.outbox'))") == []
    assert page.evaluate("""async () => {
        const database = await new Promise((done) => {
            const opening = indexedDB.open("chat.files");
            opening.onsuccess = () => done(opening.result);
        });
        const asked = database.transaction("files").objectStore("files").getAllKeys();
        return new Promise((done) => { asked.onsuccess = () => done(asked.result); });
    }""") == []


def test_an_upload_whose_last_answer_is_lost_is_sent_once(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    lost = []

    def lose(route):
        if "finalize" not in route.request.headers.get("x-goog-upload-command", "") or lost:
            return route.fallback()
        lost.append(route.fetch())
        route.abort()

    page.route("**/v0/b/**", lose)
    send_file(sarah, file("a.png", plain(), "image/png"), "Look!")
    expect(own(sarah, "Look!").get_by_text("Sent")).to_be_visible()
    assert lost[0].ok
    assert len(objects(emulator)) == len(sent(emulator)) == 1
    context.problems.clear()


def test_an_upload_that_the_emulator_has_forgotten_begins_again(context, page, emulator):
    uploads = Uploads(page)
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    uploads.hold(2 * CHUNK)
    send_file(sarah, file("large.png", LARGE, "image/png"), "Look!")
    uploads.wait_for_held()
    uploads.cut()
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    uploads.is_cut = False
    emulator.start()
    expect(own(sarah, "Look!").get_by_text("Sent")).to_be_visible()
    assert uploads.names().count("start") == 2
    [message] = sent(emulator)
    assert read(message["mediaURL"]["stringValue"]) == (200, LARGE)
    context.problems.clear()


def test_a_token_that_expires_during_an_upload_is_renewed(context, page, emulator):
    uploads = Uploads(page)
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    uploads.hold(2 * CHUNK)
    send_file(sarah, file("large.png", LARGE, "image/png"), "Look!")
    uploads.wait_for_held()
    expire_tokens(emulator)
    uploads.release()
    expect(own(sarah, "Look!").get_by_text("Sent")).to_be_visible()
    assert uploads.names().count("start") == 1
    [message] = sent(emulator)
    assert read(message["mediaURL"]["stringValue"]) == (200, LARGE)
    # Chromium logs the refused requests.
    context.problems.clear()


def test_an_upload_is_cancelled(page, emulator):
    uploads = Uploads(page)
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    uploads.hold(2 * CHUNK)
    send_file(sarah, file("large.png", LARGE, "image/png"), "Look!")
    uploads.wait_for_held()
    own(sarah, "Look!").get_by_role("button", name="Cancel").click()
    expect(own(sarah, "Look!")).to_have_count(0)
    while uploads.names()[-1] != "cancel":
        page.wait_for_timeout(20)
    # The next file isn't held up.
    send_file(sarah, file("a.png", plain(), "image/png"), "Hello!")
    expect(own(sarah, "Hello!").get_by_text("Sent")).to_be_visible()
    assert len(objects(emulator)) == len(sent(emulator)) == 1


def test_a_file_is_deleted_with_its_message(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    send_file(sarah, file("a.png", plain(), "image/png"), "Look!")
    send_file(sarah, file("b.png", plain(), "image/png"), "Hello!")
    expect(own(sarah, "Look!").get_by_text("Read")).to_be_visible()
    expect(own(sarah, "Hello!").get_by_text("Read")).to_be_visible()
    kept = next(one for one in sent(emulator) if one["text"] == string("Hello!"))["mediaURL"]["stringValue"]
    # The deletion waits while the phone is offline, and survives a reload.
    go_offline(sarah)
    own(sarah, "Look!").get_by_role("button", name="Edit or delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.reload()
    expect(message(marco, "Look!")).to_be_visible()
    assert len(objects(emulator)) == 2
    sarah.get_by_role("switch", name="Offline").check()
    expect(message(marco, "Look!")).to_have_count(0)
    while len(objects(emulator)) == 2:
        page.wait_for_timeout(20)
    assert urllib.parse.quote(*objects(emulator), safe="") in kept
    # A file that was deleted without its message is missed.
    delete(emulator, *objects(emulator))
    page.reload()
    expect(marco.get_by_text("This picture was deleted.")).to_be_visible()
    expect(sarah.get_by_text("This picture was deleted.")).to_be_visible()
    context.problems.clear()


def test_a_file_that_cannot_be_deleted_at_once_is_deleted_later(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    send_file(sarah, file("a.png", plain(), "image/png"), "Look!")
    expect(own(sarah, "Look!").get_by_text("Sent")).to_be_visible()
    page.route("**/v0/b/**", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.method == "DELETE"):
        own(sarah, "Look!").get_by_role("button", name="Edit or delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(own(sarah, "Look!")).to_have_count(0)
    assert len(objects(emulator)) == 1
    page.reload()
    page.unroute_all()
    while objects(emulator):
        page.wait_for_timeout(20)
    context.problems.clear()


def test_audio_and_videos_have_players(page, emulator):
    page.add_init_script(KEEP_BANNERS)
    open_chat(page, emulator, "sarah:trip,marco:trip,lea")
    sarah, marco, lea = phone(page, "Sarah"), phone(page, "Marco"), phone(page, "Léa")
    recorded = base64.b64decode(page.evaluate(RECORD))
    for each, kind, name, words in [
        (file("memo.wav", sound(2), "audio/wav"), "audio", "Voice message from Sarah", "🎤 Message vocal"),
        (file("film.webm", recorded, "video/webm"), "video", "Video from Sarah", "🎥 Vidéo"),
    ]:
        send_file(sarah, each)
        player = marco.get_by_label(name)
        expect(player).to_be_visible()
        assert player.evaluate("""(player) => new Promise((done) => {
            if (player.readyState >= 1) done(player.controls);
            else player.onloadedmetadata = () => done(player.controls);
        })""")
        expect(lea.get_by_role("button", name=f"Trip to Rome Sarah: {words}")).to_be_visible()
        last = lea.locator(".conversations .last")
        expect(last).to_have_text(words[1:])
        expect(last.locator(f".kind.{kind}")).to_be_visible()
    assert sorted(name.rsplit(".")[-1] for name in objects(emulator)) == ["wav", "webm"]


RECORD = """async () => {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm" });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((done) => { recorder.onstop = done; });
    recorder.start();
    for (let shade = 0; shade < 10; shade += 1) {
        context.fillStyle = `rgb(${shade * 20} 0 0)`;
        context.fillRect(0, 0, 300, 150);
        await new Promise((done) => setTimeout(done, 50));
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


def give(target, kind, attached):
    """Pastes or drops a file on an element."""
    target.evaluate("""(target, [kind, name, type, text]) => {
        const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], name, { type }));
        const how = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
        const event = kind === "paste" ? new ClipboardEvent("paste", how) : new DragEvent("drop", how);
        target.dispatchEvent(event);
    }""", [kind, attached["name"], attached["mimeType"], base64.b64encode(attached["buffer"]).decode()])


def test_a_file_is_pasted_dropped_and_removed(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    preview = sarah.get_by_role("group", name="Attached file")
    give(sarah.get_by_role("textbox", name="Message"), "paste", file("pasted.png", plain(), "image/png"))
    expect(preview).to_contain_text("pasted.png")
    expect(preview).to_contain_text(f"Photo, {len(plain())} bytes")
    assert is_shown(preview.locator("img"))
    preview.get_by_role("button", name="Remove the attached file").click()
    expect(preview).not_to_be_visible()
    expect(sarah.get_by_role("textbox", name="Message")).to_be_focused()
    give(sarah.get_by_role("log"), "drop", file("memo.wav", sound(), "audio/wav"))
    expect(preview).to_contain_text("Voice message, 7.86 KiB")
    # The draft keeps its file while another conversation is open or a message is edited.
    sarah.get_by_role("button", name="All conversations").click()
    sarah.get_by_role("button", name="Trip to Rome").click()
    expect(preview).not_to_be_visible()
    sarah.get_by_role("button", name="All conversations").click()
    sarah.get_by_role("button", name="Marco").first.click()
    expect(preview).to_be_visible()
    sarah.locator(".message.own").last.get_by_role("button", name="Edit or delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    expect(preview).not_to_be_visible()
    sarah.get_by_role("textbox", name="Message").fill("Edited")
    sarah.get_by_role("button", name="Save").click()
    expect(own(sarah, "Edited")).to_be_visible()
    expect(preview).to_be_visible()
    sarah.get_by_role("button", name="Send").click()
    expect(own_media(sarah).get_by_text("Sent")).to_be_visible()
    expect(preview).not_to_be_visible()


def test_a_page_that_calls_itself_a_picture_is_not_shown(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    html = b"<script>alert(document.domain)</script>"
    send_file(phone(page, "Sarah"), file("a.png", html, "image/png"))
    note = phone(page, "Marco").get_by_text("This picture can't be shown here.")
    expect(note).to_be_visible()
    link = note.get_by_role("link", name="Open it").get_attribute("href")
    with urllib.request.urlopen(link) as answer:
        assert answer.headers["content-type"] == "image/png" and answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]
    context.problems.clear()


def put_media(emulator, url, kind="image/png", id="elsewhere"):
    emulator.write(f"{MESSAGES}/{id}", {
        "senderId": string("marco"), "text": string(""), "status": string("sent"), "mediaURL": string(url),
        "mediaType": string(kind), "timestamp": {"timestampValue": "2036-01-01T00:00:00Z"},
    })


def test_media_of_another_server_are_loaded_only_when_somebody_asks(page, emulator):
    asked = []

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(body=plain(), content_type="image/png")

    page.route("https://elsewhere.example/**", answer)
    put_media(emulator, "https://elsewhere.example/a.png")
    put_media(emulator, "http://elsewhere.example/a.png", id="insecure")
    put_media(emulator, "javascript:alert(1)", id="script")
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    button = sarah.get_by_role("button", name="Show the picture from elsewhere.example")
    expect(button).to_be_visible()
    expect(sarah.get_by_text("This picture isn't in this emulator's Cloud Storage.")).to_have_count(2)
    assert asked == []
    button.click()
    assert is_shown(sarah.get_by_role("img", name="Photo from Marco"))
    assert asked == ["https://elsewhere.example/a.png"]


def test_a_push_shows_the_picture_that_a_phone_would_load(page, emulator):
    page.route("https://elsewhere.example/**", lambda route: route.fulfill(body=plain(), content_type="image/png"))
    emulator.quiet()
    put_media(emulator, "https://elsewhere.example/a.png")
    emulator.quiet()
    page.goto("/phones")
    push = page.get_by_role("list", name="Lock screens").locator(".notification").filter(has_text="📷 Photo").first
    expect(push).to_contain_text("Marco")
    push.get_by_role("button", name="Show the picture from elsewhere.example").click()
    assert is_shown(push.get_by_role("img", name="Picture of the push"))


def test_two_phones_of_one_user_show_a_picture_once(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,sarah:sarah-marco")
    first, second = phone(page, "Sarah").first, phone(page, "Sarah").last
    send_file(first, file("a.png", plain(), "image/png"), "Look!")
    for sarah in (first, second):
        expect(own(sarah, "Look!").get_by_text("Sent")).to_be_visible()
        expect(pictures(sarah)).to_have_count(1)
        assert is_shown(pictures(sarah))
    assert len(objects(emulator)) == len(sent(emulator)) == 1


def test_two_tabs_upload_a_waiting_file_once(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco:")
    sarah = phone(page, "Sarah")
    go_offline(sarah)
    send_file(sarah, file("large.png", LARGE, "image/png"), "Look!")
    other = context.new_page()
    uploads = [Uploads(page), Uploads(other)]
    other.goto("/chat?phones=sarah:sarah-marco:offline")
    expect(own(phone(other, "Sarah"), "Look!").get_by_text("Waiting")).to_be_visible()
    for tab in (other, page):
        phone(tab, "Sarah").get_by_role("switch", name="Offline").check()
    for tab in (other, page):
        expect(own(phone(tab, "Sarah"), "Look!").get_by_text("Sent")).to_be_visible()
    # Chromium logs that the message of the slower tab exists already.
    context.problems.clear()
    assert sum(each.names().count("start") for each in uploads) == 1
    assert len(objects(emulator)) == len(sent(emulator)) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_media(page, emulator, scheme):
    page.emulate_media(color_scheme=scheme)
    uploads = Uploads(page)
    open_chat(page, emulator, "sarah:trip,marco:trip,lea")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    send_file(sarah, file("a.png", plain(), "image/png"), "Look!")
    send_file(sarah, file("memo.wav", sound(), "audio/wav"))
    expect(marco.get_by_label("Voice message from Sarah")).to_be_visible()
    uploads.hold(2 * CHUNK)
    send_file(sarah, file("large.png", LARGE, "image/png"))
    uploads.wait_for_held()
    attach(marco, file("b.png", plain(), "image/png"))
    expect(marco.get_by_role("group", name="Attached file")).to_be_visible()
    check(page)
    marco.get_by_role("img", name="Photo from Sarah").first.click()
    check(page)
    page.keyboard.press("Escape")
    avatar_dialog(marco)
    check(page)


def test_a_forgotten_user_leaves_no_files(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    dialog = avatar_dialog(sarah)
    choose_avatar(dialog, file("me.png", plain(), "image/png"))
    expect(dialog.get_by_role("button", name="Remove the picture")).to_be_visible()
    page.keyboard.press("Escape")
    for writer, text in [(sarah, "Look!"), (marco, "Guarda!")]:
        send_file(writer, file("a.png", plain(), "image/png"), text)
        expect(own(writer, text).get_by_text("Read")).to_be_visible()
    emulator.quiet()
    assert len(objects(emulator)) == 3
    request = urllib.request.Request(
        emulator.url("functions", f"/{PROJECT}/us-central1/forgetUser"),
        json.dumps({"data": {"uid": "sarah"}}).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {token('sarah')}"},
    )
    urllib.request.urlopen(request, timeout=60).close()
    emulator.quiet()
    [left] = objects(emulator).values()
    assert left["metadata"]["uploader"] == "marco"
