"""The Events page: a live list, and the causes and effects of each event."""

import json
import re
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import ROOT, SERVICES, Emulator
from playwright.sync_api import expect

from views import open_live


@pytest.fixture
def emulator(tmp_path):
    """An emulator with two users, and no messages or events."""
    emulator = Emulator(tmp_path, seed=False)
    # A new profile or device would start sendNotification.
    emulator.request("PUT", "hub", "/functions/disableBackgroundTriggers")
    for name, language in [("sarah", "en"), ("marco", "it")]:
        emulator.write(f"users/{name}", {"primaryLanguage": {"stringValue": language}})
    emulator.write("users/marco/devices/phone", {"fcmToken": {"stringValue": "marco-phone"}})
    people = [{"stringValue": "sarah"}, {"stringValue": "marco"}]
    emulator.write(
        "conversations/c",
        {"type": {"stringValue": "one-on-one"}, "participants": {"arrayValue": {"values": people}}},
    )
    emulator.request("PUT", "hub", "/functions/enableBackgroundTriggers")
    yield emulator
    emulator.stop()


def fields(text):
    return {
        "senderId": {"stringValue": "sarah"}, "text": {"stringValue": text}, "language": {"stringValue": "en"},
        "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}, "readBy": {"arrayValue": {}},
    }


def send(emulator, name, text):
    """Writes a message and waits until every function has ended."""
    emulator.write(f"conversations/c/messages/{name}", fields(text))
    emulator.quiet()


def fail(emulator, provider, **fault):
    emulator.request("POST", "functions", "/providers/faults", {"provider": provider, "kind": "status", **fault})


def rows(page):
    """Returns the rows of deliveries and calls."""
    return page.locator(".row.single")


def groups(page, text=""):
    """Returns the rows of documents, nodes and objects, below which their deliveries are."""
    return page.locator(".row.group", has_text=text)


def lines(page, text):
    """Returns the timeline's lines that contain a text."""
    return page.locator("button.line", has_text=text)


def open_delivery(page, function, name):
    page.goto(f"/events?function={function}&document=messages/{name}")
    rows(page).first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{function}: conversations/c/messages/{name}")


def seriously_wrong(page):
    """Returns axe's serious and critical violations."""
    violations = Axe().run(page).response["violations"]
    return [each["id"] for each in violations if each["impact"] in ("serious", "critical")]


def test_a_message_shows_its_functions_their_requests_and_their_writes(page, emulator):
    page.goto("/events")
    expect(page.get_by_text("Nothing has happened yet")).to_be_visible()
    # The events appear while the page is open.
    send(emulator, "m", "Break a leg tomorrow!")
    for function in ["analyzeMessage", "sendNotification", "translateMessage"]:
        expect(rows(page).filter(has_text=function).filter(has_text="succeeded")).to_have_count(1)

    open_delivery(page, "translateMessage", "m")
    expect(lines(page, "conversations/c/messages/m created by an administrator")).to_have_count(1)
    for function in ["analyzeMessage", "sendNotification", "translateMessage"]:
        expect(lines(page, function).filter(has_text="succeeded")).to_have_count(1)
    expect(lines(page, "attempt 1: exit 0")).to_have_count(3)
    expect(lines(page, "fcm: 200")).to_have_count(1)
    expect(lines(page, "aiAnalysis/m created")).to_have_count(1)

    lines(page, "openai: 200").first.click()
    expect(page.get_by_text(re.compile(r"\d+ in, \d+ out"))).to_be_visible()
    lines(page, "translation: 200").first.click()
    details = page.locator("li", has=lines(page, "translation: 200")).first
    expect(details.get_by_role("heading", name="Response")).to_be_visible()
    expect(details.locator("pre").first).to_contain_text("Break a leg tomorrow!")
    expect(details.get_by_text("$0.000420")).to_be_visible()

    lines(page, "conversations/c/messages/m updated").first.click()
    change = page.get_by_role("row", name=re.compile(r"^translations\b"))
    expect(change.locator(".before")).to_have_text("–")
    expect(change.locator(".after")).not_to_have_text("–")
    change.get_by_role("button", name="Why").click()
    expect(page.get_by_text(re.compile(r"translations of .* was written at .*, by translateMessage"))).to_be_visible()

    # The open lines are in the address.
    page.reload()
    expect(change).to_be_visible()
    page.get_by_role("checkbox").check()
    expect(lines(page, "leases/").first).to_be_visible()


def test_events_are_grouped_by_their_message(page, emulator):
    send(emulator, "other", "See you soon!")
    send(emulator, "m", "Thank you so much!")
    page.goto("/events")
    expect(groups(page)).to_have_count(2)
    group = groups(page).first
    expect(group).to_contain_text("Thank you so much! conversations/c/messages/m")
    expect(group.locator(".changes")).to_have_text("created")
    expect(group.locator(".states")).to_contain_text(re.compile("[12] succeeded"))
    expect(rows(page)).to_have_count(6)

    # Later changes of a message move its group to the top.
    emulator.write("conversations/c/messages/other", fields("See you later!"))
    expect(group).to_contain_text("See you later! conversations/c/messages/other")
    expect(group.locator(".changes")).to_have_text("updated, created")
    emulator.request("DELETE", "firestore", f"{emulator.documents}/conversations/c/messages/other")
    expect(group.locator(".changes")).to_have_text("deleted, updated, created")
    expect(group).to_contain_text("See you later!")
    emulator.quiet()
    expect(rows(page).first).to_contain_text("deleted")
    expect(groups(page)).to_have_count(2)

    # From a group, one click leads to the document, and to what its creation has caused.
    thanks = groups(page, "Thank you so much!")
    thanks.get_by_role("link", name="Document conversations/c/messages/m").click()
    expect(page).to_have_url("/data/conversations/c/messages/m")
    page.go_back()
    thanks.locator(".line").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("conversations/c/messages/m")
    expect(lines(page, "conversations/c/messages/m created")).to_have_count(1)
    page.get_by_role("link", name="All events of this document").click()
    expect(page).to_have_url("/events?document=conversations%2Fc%2Fmessages%2Fm")
    expect(groups(page)).to_have_count(1)
    rows(page).first.get_by_role("link").click()
    page.get_by_role("link", name="Document", exact=True).click()
    expect(page).to_have_url("/data/conversations/c/messages/m")


def test_groups_are_folded_by_mouse_and_keyboard(page, emulator):
    send(emulator, "first", "Thank you so much!")
    send(emulator, "second", "See you soon!")
    page.goto("/events")
    expect(rows(page)).to_have_count(6)
    second = groups(page, "messages/second").get_by_role("button", name="Deliveries of conversations/c/messages/second")
    expect(second).to_have_attribute("aria-expanded", "true")
    second.click()
    expect(second).to_have_attribute("aria-expanded", "false")
    expect(rows(page)).to_have_count(3)
    # A folded group stays so when the list changes.
    emulator.write("conversations/c/messages/second", fields("See you later!"))
    expect(groups(page).first).to_contain_text("See you later!")
    emulator.quiet()
    expect(rows(page)).to_have_count(3)

    page.get_by_role("list", name="Deliveries and calls").focus()
    page.keyboard.press("Home")
    line = page.locator('.row[aria-posinset="1"] .line')
    expect(line).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(second).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator('.row[aria-posinset="3"] .line')).to_be_focused()
    # As in a tree, the left arrow leads to the group and then closes it.
    page.keyboard.press("ArrowLeft")
    expect(line).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(second).to_have_attribute("aria-expanded", "false")
    # Tab leads from the row to its link and out of the list.
    page.keyboard.press("Tab")
    expect(groups(page).first.get_by_role("link", name="Document")).to_be_focused()

    page.get_by_role("button", name="Unfold all").or_(page.get_by_role("button", name="Fold all")).click()
    expect(rows(page)).to_have_count(0)
    expect(page).to_have_url("/events?folded=1")
    page.reload()
    expect(groups(page)).to_have_count(2)
    expect(rows(page)).to_have_count(0)
    # Filters apply to folded groups, too.
    page.get_by_role("searchbox", name="Part of a path").fill("first")
    expect(groups(page)).to_have_count(1)
    page.get_by_role("button", name="Unfold all").click()
    expect(rows(page)).to_have_count(3)


def test_a_scrolled_list_keeps_its_place(page, emulator):
    emulator.request("PUT", "ui", "/api/triggers", {"paused": True})
    write_many(emulator, 0, 30)
    open_live(page, "/events", "/api/invocations")
    expect(groups(page).first).to_be_visible()
    page.locator(".virtual-list").evaluate("(list) => { list.scrollTop = 40 * 36; }")
    row = groups(page).nth(5)
    expect(row).to_be_in_viewport()
    path = row.locator(".path").text_content()
    before = row.bounding_box()["y"]
    write_many(emulator, 100, 5)
    expect(page.locator('.row[aria-setsize="140"]').first).to_be_visible()
    assert groups(page, path).bounding_box()["y"] == before


def test_a_document_leads_to_its_trace(page, context, emulator):
    send(emulator, "m", "See you soon!")
    page.goto("/events/document/conversations/c/messages/m")
    expect(page.get_by_role("heading", level=1)).to_have_text("conversations/c/messages/m")
    expect(lines(page, "translateMessage")).to_have_count(1)
    # The trace is that of the newest creation.
    emulator.request("DELETE", "firestore", f"{emulator.documents}/conversations/c/messages/m")
    send(emulator, "m", "Hello again!")
    page.reload()
    expect(page.get_by_role("row", name=re.compile("^text"))).to_contain_text("Hello again!")
    page.goto("/events/document/conversations/c/messages/nothing")
    expect(page.get_by_role("alert")).to_contain_text('no change of "conversations/c/messages/nothing" is kept')
    # Chromium logs the 404 responses. The page sends the request again once it gets notifications.
    page.close()
    context.problems.clear()


def test_a_dead_letter_is_marked_shows_its_reason_and_is_retried(page, emulator):
    fail(emulator, "translation", status=403, times=20)
    send(emulator, "m", "See you soon!")
    page.goto("/events")
    page.get_by_role("link", name="1 dead letter", exact=True).click()
    expect(page).to_have_url("/events?state=deadLettered")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("PERMISSION_DENIED")

    page.get_by_role("list", name="Deliveries and calls").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".title")).to_contain_text("dead letter")
    item = page.locator(".timeline > li", has=lines(page, "translateMessage"))
    attempt = item.locator("xpath=following-sibling::li[1]")
    expect(attempt.get_by_role("button", name="attempt 1: exit 78")).to_have_attribute("aria-expanded", "true")
    expect(attempt.locator("dl")).to_contain_text("78, not configured")
    expect(attempt.locator(".logs li").first).to_be_visible()
    expect(lines(page, "translation: 403").first).to_be_visible()

    emulator.request("DELETE", "functions", "/providers/faults")
    page.get_by_role("button", name="Retry").first.click()
    expect(page.locator(".title")).to_contain_text("succeeded")
    expect(lines(page, "attempt 2: exit 0")).to_have_count(1)
    page.get_by_role("link", name="← Events").click()
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_role("link", name="dead letter")).to_be_hidden()


def test_a_replay_is_another_delivery_in_the_same_timeline(page, emulator):
    send(emulator, "m", "See you soon!")
    open_delivery(page, "analyzeMessage", "m")
    before = page.url
    page.locator(".actions").first.get_by_role("button", name="Replay").click()
    expect(page).not_to_have_url(before)
    expect(lines(page, "analyzeMessage")).to_have_count(2)
    expect(page.locator(".title")).to_contain_text(re.compile("succeeded|skipped"))
    page.go_back()
    expect(page).to_have_url(before)
    expect(page.get_by_role("heading", level=1)).to_contain_text("analyzeMessage")


def test_filters_are_in_the_address_and_the_back_button_restores_them(page, context, emulator):
    send(emulator, "first", "Thank you so much!")
    send(emulator, "second", "See you soon!")
    page.goto("/events")
    expect(rows(page)).to_have_count(6)
    page.get_by_role("searchbox", name="Search texts").fill("SO MUCH")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("combobox", name="Function").select_option("sendNotification")
    expect(rows(page)).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?text=SO\+MUCH&function=sendNotification$"))
    address = page.url
    rows(page).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("messages/first")
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.get_by_role("combobox", name="Function")).to_have_value("sendNotification")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Show everything").click()
    expect(rows(page)).to_have_count(6)
    page.get_by_role("combobox", name="State").select_option("deadLettered")
    expect(page.get_by_text("No deliveries or calls match these filters.")).to_be_visible()
    page.goto("/events/nobody")
    expect(page.get_by_role("alert")).to_contain_text("no longer kept")
    # Chromium logs the 404 responses. The page sends the request again once it gets notifications.
    page.close()
    context.problems.clear()


def write_many(emulator, first, count):
    """Writes messages in one commit."""
    root = "projects/demo-worldchat/databases/(default)/documents/conversations/c/messages"
    writes = [{"update": {"name": f"{root}/n{number}", "fields": fields("Thank you!")}}
              for number in range(first, first + count)]
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": writes})


def test_thousands_of_events_are_scrolled_and_paused(page, emulator):
    # Deliveries of paused triggers wait, so all of them appear at once.
    emulator.request("PUT", "ui", "/api/triggers", {"paused": True})
    write_many(emulator, 0, 400)
    write_many(emulator, 400, 300)
    open_live(page, "/events?state=waiting", "/api/invocations")
    listing = page.get_by_role("list", name="Deliveries and calls")
    expect(rows(page).first).to_be_visible()
    listing.focus()
    # The list loads more lines each time the scrolling reaches its end. The number of steps depends
    # on the machine.
    # Each message has a row, and one for each of its three deliveries.
    for _ in range(4_000):
        page.keyboard.press("End")
        page.wait_for_timeout(50)
        if page.locator('.row[aria-setsize="2800"][aria-posinset="2800"]').count():
            break
    expect(page.locator('.row[aria-posinset="2800"] .line')).to_be_focused()
    assert page.locator(".row").count() < 60
    page.keyboard.press("Home")
    expect(page.locator('.row[aria-posinset="1"] .line')).to_be_focused()
    for place in range(2, 6):
        page.keyboard.press("ArrowDown")
        expect(page.locator(f'.row[aria-posinset="{place}"] .line')).to_be_focused()

    page.get_by_role("button", name="Pause").click()
    write_many(emulator, 700, 20)
    expect(page.get_by_role("button", name="Resume (60 new)")).to_be_visible()
    expect(page.locator('.row[aria-setsize="2800"]').first).to_be_visible()
    page.get_by_role("button", name="Resume (60 new)").click()
    expect(groups(page).first).to_contain_text(re.compile(r"messages/n7\d\d"))
    write_many(emulator, 720, 1)
    expect(groups(page).first).to_contain_text("messages/n720")


def test_the_copied_command_line_runs_in_a_shell(page, context, emulator, tmp_path):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    send(emulator, "m", "Don't worry, 'EVENT' isn't the end: $HOME `ls` \\ \U0001f600")
    open_delivery(page, "analyzeMessage", "m")
    page.locator(".actions").first.get_by_role("button", name="command line").click()
    expect(page.get_by_text("Command line: copied.").first).to_be_visible()
    command = page.evaluate("navigator.clipboard.readText()")
    ports = [part for service in SERVICES for part in (f"--{service}-port", "0")]
    run = subprocess.run(
        [ROOT / ".build/debug/emulator", "exec", *ports, "--", "sh", "-c", command],
        capture_output=True, text=True, timeout=120, cwd=tmp_path,
    )
    result = json.loads(run.stdout.splitlines()[-1])
    assert result["function"] == "analyzeMessage" and result["status"] in ("ok", "skipped"), run.stderr
    page.locator(".actions").first.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link: copied.").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith(page.url.split("?")[0])


def test_the_command_line_of_a_call_keeps_every_digit(page, context, emulator):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    call = urllib.request.Request(
        emulator.url("functions", "/demo-worldchat/us-central1/askAI"),
        data=b'{"data":{"conversationId":"c","question":"Who?","number":9007199254740993}}',
        headers={"content-type": "application/json"},
    )
    # The function refuses the call without a user, but the call is recorded.
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(call, timeout=60)
    page.goto("/events?function=askAI")
    rows(page).first.get_by_role("link").click()
    page.locator(".actions").first.get_by_role("button", name="command line").click()
    expect(page.get_by_text("Command line: copied.").first).to_be_visible()
    command = page.evaluate("navigator.clipboard.readText()")
    assert '"number":9007199254740993' in command


def test_a_fixture_is_copied_once_recording_is_on(page, context, emulator):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    send(emulator, "m", "Thank you so much!")
    open_delivery(page, "analyzeMessage", "m")
    actions = page.locator(".actions").first
    actions.get_by_role("button", name="Copy as fixture").click()
    actions.get_by_role("button", name="Switch recording on").click()
    expect(actions.get_by_text("From now on invocations are recorded")).to_be_visible()
    first = page.url
    actions.get_by_role("button", name="Replay").click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".title")).to_contain_text(re.compile("succeeded|skipped"))
    emulator.quiet()
    page.locator(".actions").first.get_by_role("button", name="Copy as fixture").click()
    # If creating the fixture takes too long, the browser denies access to the clipboard, and a
    # dialog shows the text.
    offered = page.get_by_role("dialog").get_by_role("textbox")
    expect(page.get_by_text("Fixture: copied.").first.or_(offered)).to_be_visible()
    text = offered.input_value() if offered.count() else page.evaluate("navigator.clipboard.readText()")
    assert json.loads(text)["function"] == "analyzeMessage" and "sarah" in text
    page.goto("/functions")
    page.get_by_role("button", name="Stop recording").click()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()
    assert emulator.request("GET", "ui", "/api/recording") == {"on": False}
    # Chromium logs the refusal.
    context.problems.clear()


def test_text_that_cannot_be_copied_is_shown_until_the_page_is_left(page, emulator):
    send(emulator, "m", "Thank you so much!")
    page.goto("/events")
    rows(page).first.get_by_role("link").click()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("dialog", name="Link").get_by_role("textbox")).to_have_value(page.url)
    page.go_back()
    expect(rows(page).first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_search_is_repeated_only_after_the_last_one_was_answered(page, emulator):
    under_way, most, count = 0, 0, 0

    def begin(request):
        nonlocal under_way, most, count
        if "text=" in request.url and "/api/invocations" in request.url:
            under_way, count = under_way + 1, count + 1
            most = max(most, under_way)

    def end(request):
        nonlocal under_way
        if "text=" in request.url and "/api/invocations" in request.url:
            under_way -= 1

    page.on("request", begin)
    page.on("requestfinished", end)
    page.on("requestfailed", end)
    page.goto("/events?text=thank")
    start = time.monotonic()
    for number in range(100):
        emulator.write(f"conversations/c/messages/m{number}", fields("Thank you so much!"))
    expect(groups(page, "messages/m99").first).to_be_visible()
    assert most == 1
    # One request when the page opens, one when it gets notifications, then one every two seconds.
    assert count <= 3 + (time.monotonic() - start) / 2


def test_a_paused_search_is_not_repeated(page, emulator):
    page.clock.install()
    open_live(page, "/events?text=thank", "/api/invocations")
    expect(page.get_by_text("No deliveries or calls match")).to_be_visible()
    page.evaluate("""async () => {
        const { stream } = await import("/assets/lib/emulator.js");
        window.told = new Promise((done) => stream.subscribe("deliveries", done));
    }""")
    emulator.write("conversations/c/messages/first", fields("Thank you so much!"))
    # The page knows of the new event, so it would repeat the search.
    page.evaluate("() => told.then(() => {})")
    page.get_by_role("button", name="Pause").click()
    asked = []
    page.on("request", lambda request: "text=thank" in request.url and asked.append(request.url))
    send(emulator, "second", "Thank you once more!")
    resume = page.get_by_role("button", name=re.compile(r"Resume \(\d+ new\)"))
    expect(resume).to_be_visible()
    page.clock.fast_forward(10_000)
    page.evaluate("() => fetch('/api/status').then((answer) => answer.text())")
    assert asked == []
    resume.click()
    expect(rows(page)).to_have_count(6)


def test_a_late_response_to_a_replay_does_not_leave_another_page(page, emulator):
    send(emulator, "m", "See you soon!")
    open_delivery(page, "analyzeMessage", "m")
    held = []
    page.route("**/replay", lambda route: held.append(route))
    with page.expect_request("**/replay"):
        page.get_by_role("button", name="Replay").click()
    page.get_by_role("navigation").get_by_role("link", name="Status").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Status")
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("() => fetch('/api/status').then((answer) => answer.text())")
    assert page.url == emulator.url("ui", "/status")


def test_the_keyboard_opens_an_event_and_returns_to_its_row(page, emulator):
    send(emulator, "m", "Thank you so much!")
    page.goto("/events")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("list", name="Deliveries and calls").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    row = page.locator('.row[aria-posinset="2"] .line')
    expect(row).to_be_focused()
    function = row.locator(".function").text_content()
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(f"{function}: conversations/c/messages/m")
    expect(heading).to_be_focused()
    expect(page).to_have_title(f"{function}: conversations/c/messages/m – Events – WorldChat emulator")
    # The heading keeps the focus when the page changes.
    page.get_by_role("button", name="Replay").click()
    expect(heading).to_be_focused()
    page.go_back()
    expect(page).to_have_title(f"{function}: conversations/c/messages/m – Events – WorldChat emulator")
    page.go_back()
    expect(page).to_have_title("Events – WorldChat emulator")
    expect(rows(page).filter(has_text=function).last.locator("a")).to_be_focused()


def test_documents_are_shown_as_text(page, emulator):
    hostile = "<script>document.title='broken'</script><img src=x onerror=alert(1)> \u202egnirts"
    emulator.write("conversations/c/messages/m", {**fields(hostile), "note": {"stringValue": "x" * 900_000}})
    emulator.quiet()
    page.goto("/events?function=translateMessage")
    rows(page).first.get_by_role("link").click()
    lines(page, "conversations/c/messages/m").first.click()
    expect(page.get_by_role("row", name=re.compile("^note"))).to_contain_text("… and 896000 more characters")
    expect(page.get_by_text("<script>document.title='broken'</script>").first).to_be_visible()
    assert "broken" not in page.title()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page, emulator, scheme):
    fail(emulator, "translation", status=403, times=20)
    send(emulator, "m", "Break a leg tomorrow!")
    page.emulate_media(color_scheme=scheme)
    page.goto("/events")
    expect(rows(page)).to_have_count(3)
    assert seriously_wrong(page) == []
    rows(page).filter(has_text="dead letter").get_by_role("link").click()
    for text in ["attempt 1", "translation: 403", "messages/m created"]:
        lines(page, text).first.click()
    expect(page.locator(".details:visible")).to_have_count(4)
    assert seriously_wrong(page) == []
    page.set_viewport_size({"width": 360, "height": 700})
    expect(page.locator(".details:visible")).to_have_count(4)
    assert page.evaluate("document.querySelector('main').scrollWidth <= innerWidth")


def test_a_restart_starts_a_new_list(context, page, emulator):
    send(emulator, "before", "Thank you so much!")
    page.goto("/events")
    expect(rows(page)).to_have_count(3)
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    expect(page.get_by_text("Nothing has happened yet")).to_be_visible()
    send(emulator, "after", "See you soon!")
    expect(groups(page).first).to_contain_text("messages/after")
    # Chromium logs the refused connections.
    context.problems.clear()
