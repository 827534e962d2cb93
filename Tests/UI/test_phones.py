"""The Phones & providers page: pushes, providers' costs and injected faults."""

import re

from playwright.sync_api import expect

from test_functions import MESSAGE, write_message
from views import open_live


def phone(page, token):
    return page.get_by_role("list", name="Lock screens").locator(".phone").filter(has_text=token)


def fault(page, name):
    return page.get_by_role("switch", name=name)


def test_a_push_appears_on_the_lock_screen_as_it_arrives(page, emulator):
    open_live(page, "/phones", "/fcm/inbox")
    marco = phone(page, "marco-phone")
    expect(marco).to_contain_text("Marco")
    expect(marco.get_by_role("img", name="badge 3")).to_be_visible()
    expect(marco.locator(".notification")).to_have_count(3)
    expect(marco.locator(".notification").first).to_contain_text("In bocca al lupo")
    expect(phone(page, "sarah-phone")).to_contain_text("Nothing yet.")
    write_message(emulator)
    expect(marco.locator(".notification").first).to_contain_text("Grazie mille!")
    expect(marco.get_by_role("img", name="badge 4")).to_be_visible()
    expect(page.locator(".visually-hidden[role=status]")).to_contain_text("Marco: Sarah Grazie mille!")
    marco.get_by_text("Raw message").first.click()
    expect(marco.locator("pre").first).to_contain_text('"mutable-content": 1')


def test_a_silent_push_is_shown_as_one(page, emulator):
    page.goto("/phones")
    expect(phone(page, "marco-phone").locator(".notification")).to_have_count(3)
    # Marco reads the messages on another device, so a silent push lowers the badge.
    messages = emulator.request("GET", "firestore", f"{emulator.documents}/conversations/sarah-marco/messages")
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": [
        {
            "transform": {
                "document": document["name"],
                "fieldTransforms": [
                    {"fieldPath": "readBy", "appendMissingElements": {"values": [{"stringValue": "marco"}]}}
                ],
            }
        }
        for document in messages["documents"]
    ]})
    silent = phone(page, "marco-phone").locator(".quiet-push")
    expect(silent.first).to_contain_text(re.compile(r"Silent push: badge \d"))


def test_the_inbox_is_cleared_and_a_device_uninstalled(page, emulator):
    page.goto("/phones")
    marco = phone(page, "marco-phone")
    expect(marco.locator(".notification")).to_have_count(3)
    page.get_by_role("button", name="Clear inbox").click()
    expect(marco.locator(".notification")).to_have_count(0)
    assert emulator.request("GET", "functions", "/providers/fcm/inbox") == {"messages": []}
    marco.get_by_role("button", name="Uninstall the app on marco-phone").click()
    expect(marco).to_contain_text("Uninstalled")
    write_message(emulator)
    emulator.quiet()
    assert emulator.request("GET", "functions", "/providers/fcm/inbox") == {"messages": []}
    # The function has deleted the device, but the page still knows its owner.
    page.get_by_role("button", name="Install all again").click()
    expect(marco).not_to_contain_text("Uninstalled")
    expect(marco).to_contain_text("Marco")


def test_a_response_from_before_the_inbox_was_cleared_is_not_shown(page, emulator):
    page.goto("/phones")
    marco = phone(page, "marco-phone")
    expect(marco.locator(".notification")).to_have_count(3)
    before = emulator.request("GET", "functions", "/providers/fcm/inbox")
    held = []
    page.route("**/fcm/inbox?*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/fcm/inbox?*"):
        marco.get_by_role("button", name="Uninstall the app on marco-phone").click()
    page.get_by_role("button", name="Clear inbox").click()
    expect(marco.locator(".notification")).to_have_count(0)
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].fulfill(json=before)
    page.evaluate("() => fetch('/api/status').then((answer) => answer.text())")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert marco.locator(".notification").count() == 0


def test_a_fault_is_switched_on_shown_and_switched_off(page, emulator):
    page.goto("/phones")
    switch = fault(page, "Translation is down (503)")
    switch.click()
    expect(switch).to_be_checked()
    row = page.get_by_role("row", name=re.compile("Translation answers a status 503"))
    expect(row).to_contain_text("until switched off")
    write_message(emulator, text="Good luck with it!")
    emulator.quiet()
    fields = emulator.get(MESSAGE)
    assert "error" in fields["translationMeta"]["mapValue"]["fields"]["it"]["mapValue"]["fields"]
    expect(page.get_by_role("row", name=re.compile("^Translation ")).filter(has_text="503")).not_to_have_count(0)
    # The fault is stored in the emulator, not in the page.
    page.reload()
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()
    assert emulator.request("GET", "functions", "/providers/faults") == {"faults": []}
    write_message(emulator, MESSAGE + "2", "Thank you so much!")
    emulator.quiet()
    assert "it" in emulator.get(MESSAGE + "2")["translations"]["mapValue"]["fields"]


def test_switches_of_one_provider_replace_each_other(page, emulator):
    page.goto("/phones")
    fault(page, "Translation times out").click()
    expect(fault(page, "Translation times out")).to_be_checked()
    fault(page, "Translation is slow (2 s)").click()
    expect(fault(page, "Translation is slow (2 s)")).to_be_checked()
    expect(fault(page, "Translation times out")).not_to_be_checked()
    fault(page, "Model is down (503)").click()
    expect(fault(page, "Model is down (503)")).to_be_checked()
    # This is the last fault that the page requests.
    expect(page.get_by_role("row", name="Anthropic answers a status 503")).to_be_visible()
    left = emulator.request("GET", "functions", "/providers/faults")["faults"]
    assert [(one["provider"], one["kind"]) for one in left] == [
        ("translation", "delay"), ("openai", "status"), ("anthropic", "status"),
    ]
    page.get_by_role("button", name="All off").click()
    expect(fault(page, "Model is down (503)")).not_to_be_checked()
    assert emulator.request("GET", "functions", "/providers/faults") == {"faults": []}


def test_any_fault_is_requested_with_the_form(page, emulator):
    page.goto("/phones")
    page.get_by_text("Any other fault").click()
    page.get_by_label("Provider").select_option("FCM")
    # FCM has no faults of language models.
    expect(page.get_by_role("combobox", name="Fault").locator("option")).to_have_count(10)
    page.get_by_role("combobox", name="Fault").select_option("answers a status")
    page.get_by_label("Status", exact=True).fill("429")
    page.get_by_label("Error code").fill("QUOTA_EXCEEDED")
    page.get_by_label("Retry-After").fill("7")
    page.get_by_label("Number of requests").fill("2")
    page.get_by_label("Requests before it").fill("1")
    page.get_by_role("button", name="Switch on").click()
    row = page.get_by_role("row", name=re.compile("FCM answers a status 429 QUOTA_EXCEEDED"))
    expect(row).to_contain_text("2 requests, after 1 more")
    asked = emulator.request("GET", "functions", "/providers/faults")["faults"]
    assert asked == [{
        "id": 1, "provider": "fcm", "kind": "status", "status": 429, "code": "QUOTA_EXCEEDED",
        "headers": {"retry-after": "7"}, "times": 2, "after": 1,
    }]
    row.get_by_role("button").click()
    expect(row).to_have_count(0)
    assert emulator.request("GET", "functions", "/providers/faults") == {"faults": []}


def test_usage_and_cost_are_shown(page, emulator):
    page.goto("/phones")
    expect(page.get_by_role("row", name=re.compile("^FCM 200 5"))).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("^translateMessage"))).to_contain_text("$0.00")
    write_message(emulator)
    expect(page.get_by_role("row", name=re.compile("^FCM 200 6"))).to_be_visible()
    expect(page.get_by_text("phrasebook, else pseudo; emulator-rules")).to_be_visible()


def test_a_long_name_leaves_room_to_uninstall(page, emulator):
    emulator.write("users/marco", {**emulator.get("users/marco"), "displayName": {"stringValue": "Marco" * 30}})
    page.goto("/phones")
    head = phone(page, "marco-phone").locator(".phone-head")
    name, button = head.get_by_text("MarcoMarco"), head.get_by_role("button")
    expect(name).to_be_visible()
    assert name.evaluate("(name) => name.scrollWidth <= name.parentElement.clientWidth")
    left = name.bounding_box()
    assert left["x"] + left["width"] <= button.bounding_box()["x"]


def test_a_hostile_push_is_text(page, emulator):
    page.goto("/phones")
    marco = phone(page, "marco-phone")
    expect(marco.locator(".notification")).to_have_count(3)
    write_message(emulator, text="<img src=x onerror=alert(1)>")
    expect(marco.locator(".notification").first).to_contain_text("onerror=alert(1)>")
    expect(page.locator("main img[src=x]")).to_have_count(0)


def test_the_page_survives_a_restart(context, page, emulator):
    page.goto("/phones")
    expect(phone(page, "marco-phone").locator(".notification")).to_have_count(3)
    fault(page, "FCM answers 429").click()
    expect(fault(page, "FCM answers 429")).to_be_checked()
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    # A new emulator has no faults, and new phones that get the demo's pushes again.
    expect(fault(page, "FCM answers 429")).not_to_be_checked()
    expect(phone(page, "marco-phone").locator(".notification")).to_have_count(3)
    write_message(emulator)
    expect(phone(page, "marco-phone").locator(".notification")).to_have_count(4)
    # Chromium logs the refused connections.
    context.problems.clear()
