"""The Functions page: activity, costs, pausing and tests by hand."""

import json
import re

import pytest
from playwright.sync_api import expect

MESSAGE = "conversations/sarah-marco/messages/coffee"


def write_message(emulator, path=MESSAGE, text="Thank you so much!"):
    emulator.write(path, {
        "senderId": {"stringValue": "sarah"}, "text": {"stringValue": text}, "language": {"stringValue": "en"},
        "timestamp": {"timestampValue": "2026-01-01T10:00:00Z"}, "status": {"stringValue": "sent"},
        "readBy": {"arrayValue": {}},
    })


def card(page, name):
    return page.get_by_role("list", name="Functions").get_by_role("listitem").filter(
        has=page.get_by_role("heading", name=name)
    )


def test_every_function_shows_what_it_did_and_costs(page):
    page.goto("/functions")
    expect(page.get_by_role("list", name="Functions").get_by_role("listitem")).to_have_count(9)
    translate = card(page, "translateMessage")
    expect(translate).to_contain_text("0 of 32")
    expect(translate).to_contain_text(re.compile(r"Cost\$0\.00\d+"))
    # sendNotification reuses translations that translateMessage has paid for.
    notify = card(page, "sendNotification")
    expect(notify).to_contain_text(re.compile(r"Cache hits\d+ %"))
    expect(notify).to_contain_text(re.compile(r"Saved by the cache≈ \$0\.00\d+"))
    translate.get_by_role("link", name="translateMessage").click()
    expect(page).to_have_url("/functions/translateMessage?event=created")
    expect(page.get_by_role("row", name="Secrets")).to_contain_text("TRANSLATION_API_KEY")
    expect(page.get_by_role("row", name="0 done, or nothing to do")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Commit to done"))).to_contain_text(
        re.compile(r"\d m?s")
    )
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Functions")
    page.goto("/functions/nobody")
    expect(page.get_by_role("alert")).to_have_text("There is no function nobody.")


def test_a_paused_function_waits_while_others_continue(page, emulator):
    page.goto("/functions")
    translate = card(page, "translateMessage")
    translate.get_by_role("button", name="Pause translateMessage").click()
    expect(translate.locator(".tag")).to_have_text("paused")
    write_message(emulator)
    expect(translate).to_contain_text("Waiting1")
    analysed = emulator.request("GET", "ui", "/api/events?function=analyzeMessage")
    assert analysed[-1]["document"] == MESSAGE
    assert "translations" not in emulator.get(MESSAGE)
    # The paused state is stored in the emulator, not in the page.
    page.reload()
    expect(translate.locator(".tag")).to_have_text("paused")
    translate.get_by_role("button", name="Resume translateMessage").click()
    expect(translate).to_contain_text("Waiting0")
    emulator.quiet()
    assert emulator.get(MESSAGE)["translations"]["mapValue"]["fields"]["it"]["stringValue"] == "Grazie mille!"


def test_all_functions_are_paused_and_chaos_is_switched_on_and_off(context, page, emulator):
    page.goto("/functions")
    page.get_by_role("button", name="Pause all").click()
    expect(page.get_by_role("button", name="Resume all")).to_be_visible()
    assert emulator.request("GET", "ui", "/api/triggers") == {"paused": True}
    # Every page shows that functions are paused.
    page.get_by_role("navigation").get_by_role("link", name="Logs").click()
    page.get_by_role("link", name="All functions are paused").click()
    page.get_by_role("button", name="Resume all").click()
    expect(page.get_by_role("button", name="Pause all")).to_be_visible()
    expect(page.get_by_role("link", name="All functions are paused")).to_be_hidden()

    page.get_by_label("Chaos").fill("duplicate=2")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("alert")).to_contain_text("duplicate")
    # Chromium logs the refused request.
    context.problems.clear()
    page.get_by_label("Chaos").fill("seed=7,duplicate=0.5")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("chaos: seed=7,duplicate=0.5")).to_be_visible()
    page.get_by_role("button", name="Chaos off").click()
    expect(page.get_by_text("no chaos")).to_be_visible()
    assert emulator.request("GET", "ui", "/api/chaos") == {}


def test_a_call_is_tested(page, emulator):
    page.goto("/functions/translateMessage")
    page.get_by_label("Begin with").select_option("A call")
    editor = page.get_by_role("textbox", name="Event")
    expect(editor).to_have_value(re.compile('"targetLang": "it"'))
    page.get_by_role("button", name="Run").click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("exit 0")
    expect(result.locator("pre")).to_contain_text("Grazie mille!")
    # The page shows the function's log lines after a failure.
    emulator.request("POST", "functions", "/providers/faults",
                     {"provider": "translation", "kind": "status", "status": 503, "times": 9})
    data = '{"text": "Good luck with it!", "sourceLang": "en", "targetLang": "it"}'
    editor.fill(f'{{"data": {data}, "auth": {{"uid": "marco"}}}}')
    page.get_by_role("button", name="Run").click()
    expect(result).to_contain_text("exit 75")
    expect(result.get_by_role("listitem").first).to_contain_text(re.compile("WARNING|ERROR"))
    # The page's statistics count the call, too.
    expect(page.get_by_role("row", name=re.compile("Call to answer"))).to_contain_text("2")
    expect(page.get_by_role("row", name="75 temporary failure: try again")).to_be_visible()


def test_a_recent_event_is_tested_again(page):
    page.goto("/functions/sendNotification")
    choice = page.get_by_label("Begin with")
    choice.select_option(label="created conversations/sarah-marco/messages/interview (succeeded)")
    expect(page).to_have_url(re.compile(r"\?event=\w{20}$"))
    editor = page.get_by_role("textbox", name="Event")
    expect(editor).to_have_value(re.compile("Break a leg"))
    chosen = page.url
    # A push was already sent for this event id. A new id would be a new event.
    page.get_by_label("with a new event id").uncheck()
    page.get_by_role("button", name="Run").click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("exit 0")
    expect(result.locator("pre")).to_contain_text("every device has been notified already")
    page.goto(chosen)
    expect(editor).to_have_value(re.compile("Break a leg"))


def test_an_example_does_not_replace_what_was_typed_meanwhile(page):
    held = []
    page.route("**/api/events?function=askAI*", lambda route: held.append(route))
    with page.expect_request("**/api/events?function=askAI*"):
        page.goto("/functions/askAI")
    editor = page.get_by_role("textbox", name="Event")
    editor.fill('{"data": {}}')
    held[0].continue_()
    expect(page.get_by_label("Begin with")).to_have_value("call")
    page.evaluate("() => fetch('/api/status').then((answer) => answer.text())")
    assert editor.input_value() == '{"data": {}}'


def test_a_late_response_does_not_replace_another_page(page):
    held = []
    page.route("**/api/functions", lambda route: held.append(route))
    page.route("**/api/events?function=askAI*", lambda route: held.append(route))
    with page.expect_request("**/api/functions"):
        page.goto("/functions/askAI")
    page.get_by_role("navigation").get_by_role("link", name="Status").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Status")
    with page.expect_request("**/api/events?function=askAI*"):
        held[0].continue_()
    expect(heading).to_have_text("Status")
    with page.expect_event("requestfinished", lambda request: request == held[1].request):
        held[1].continue_()
    page.evaluate("() => fetch('/api/status').then((answer) => answer.text())")
    assert heading.all_inner_texts() == ["Status"]
    assert page.url.endswith("/status")


def test_an_invalid_event_is_reported_before_it_is_sent(context, page):
    page.goto("/functions/translateMessage")
    editor = page.get_by_role("textbox", name="Event")
    expect(editor).to_have_value(re.compile("specversion"))
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/test") else None)
    editor.fill('{"data": ')
    expect(page.get_by_role("alert").filter(has_text="This is not JSON")).to_be_visible()
    page.get_by_role("button", name="Run").click()
    editor.fill("[]")
    expect(page.get_by_role("alert").filter(has_text="An event is a JSON object.")).to_be_visible()
    page.get_by_role("button", name="Run").click()
    assert sent == []
    # These are JSON, but not an event, or not one of the function's triggers: nothing runs.
    editor.fill('{"specversion": "0.3"}')
    page.get_by_role("button", name="Run").click()
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("alert")).to_contain_text("not 1.0")
    name = "projects/demo-worldchat/databases/(default)/documents/users/sarah"
    type = "google.cloud.firestore.document.v1.created"
    event = {"specversion": "1.0", "id": "e", "source": "//test", "type": type, "data": {"value": {"name": name}}}
    editor.fill(json.dumps(event))
    page.get_by_role("button", name="Run").click()
    expect(result.get_by_role("alert")).to_contain_text(
        "no trigger of translateMessage takes this event: the document is not at conversations/"
    )
    assert len(sent) == 2
    # Chromium logs the refused requests.
    context.problems.clear()


def test_each_trigger_has_an_example_that_it_accepts(page, emulator):
    for function in emulator.request("GET", "ui", "/api/functions"):
        for number in range(len(function["triggers"])):
            page.goto(f"/functions/{function['name']}")
            choice = page.get_by_label("Begin with")
            editor = page.get_by_role("textbox", name="Event")
            expect(editor).not_to_have_value("")
            trigger = function["triggers"][number]
            choice.select_option(index=number)
            expect(editor).to_have_value(re.compile(f'"type": "{re.escape(trigger["eventType"])}"'))
            page.get_by_role("button", name="Run").click()
            expect(page.get_by_role("region", name="Result")).to_contain_text(re.compile(r"exit \d+"))


def test_the_page_opens_with_the_list_of_functions(page):
    for size in [{"width": 1280, "height": 800}, {"width": 360, "height": 740}]:
        page.set_viewport_size(size)
        page.goto("/functions")
        expect(page.get_by_role("list", name="Functions").get_by_role("listitem").first).to_be_in_viewport()
    # The faults are below the list, and a click on their state leads there.
    field = page.get_by_label("Chaos", exact=True)
    expect(field).not_to_be_in_viewport()
    page.get_by_role("button", name="no chaos").click()
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()


@pytest.mark.parametrize("width", [360, 400])
def test_a_function_fits_a_phone(page, width):
    page.set_viewport_size({"width": width, "height": 740})
    for name in ["translateMessage", "sendNotification", "askAI"]:
        page.goto(f"/functions/{name}")
        expect(page.get_by_role("textbox", name="Event")).to_have_value(re.compile('"data"'))
        page.get_by_text(re.compile(r"^\d+ variables$")).click()
        page.get_by_role("button", name="Run", exact=True).click()
        expect(page.get_by_role("region", name="Result")).to_contain_text(re.compile(r"exit \d+"))
        # Nothing is wider than the page, and no text is wider than its element.
        assert page.evaluate("""() => [...document.querySelectorAll("main, main *")].filter((element) =>
            element.getBoundingClientRect().right > innerWidth
            || (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline"
                && !["TEXTAREA", "SELECT", "INPUT"].includes(element.tagName)
                && !element.classList.contains("visually-hidden"))
        ).map((element) => element.outerHTML.slice(0, 200))""") == []
