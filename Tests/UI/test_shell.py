"""Features of all pages: navigation, addresses and the connection."""

import re

import pytest
from playwright.sync_api import expect


def test_every_page_opens_by_its_address(page):
    page.goto("/")
    expect(page).to_have_url("/chat")
    for name in [
        "Chat", "Events", "Data", "Realtime Database", "Storage", "Authentication", "Requests", "Functions",
        "Phones & providers", "Logs", "Status",
    ]:
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_following_a_link_moves_the_focus_to_the_heading(page):
    page.goto("/events")
    heading = page.get_by_role("heading", level=1)
    expect(page.locator("main[aria-busy=false]")).to_be_visible()
    expect(heading).not_to_be_focused()
    for name in ["Data", "Functions", "Chat"]:
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).press("Enter")
        expect(heading).to_have_text(name)
        expect(heading).to_be_focused()
        expect(page).to_have_title(f"{name} – WorldChat emulator")
    page.go_back()
    expect(heading).to_have_text("Functions")
    expect(heading).to_be_focused()
    page.get_by_role("link", name="askAI", exact=True).press("Enter")
    expect(heading).to_be_focused()
    expect(page).to_have_title("askAI – Functions – WorldChat emulator")
    # Within a page the focus stays.
    page.goto("/data/users")
    sarah = page.get_by_role("list", name="Documents").get_by_role("link", name="sarah")
    sarah.press("Enter")
    expect(page).to_have_title("users/sarah – Data – WorldChat emulator")
    expect(sarah).to_be_focused()


def test_the_status_page_shows_the_addresses_for_an_app(page, emulator):
    page.goto("/status")
    expect(page.get_by_label("Environment", exact=True)).to_contain_text(f"FIRESTORE_EMULATOR_HOST=127.0.0.1:{emulator.ports['firestore']}")


@pytest.mark.parametrize("host", ["localhost", "[::1]"])
def test_the_pages_reach_the_services_by_every_name_of_this_machine(page, emulator, host):
    page.goto(f"http://{host}:{emulator.ports['ui']}/chat")
    phone = page.get_by_role("region", name="Sarah").first
    phone.get_by_placeholder("Message").fill("Thank you!")
    phone.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Grazie!", exact=True).last).to_be_visible()
    page.goto(f"http://{host}:{emulator.ports['ui']}/data/users")
    expect(page.get_by_role("link", name="sarah")).to_be_visible()


def test_a_page_opened_without_an_emulator_appears_once_there_is_one(context, page, emulator):
    page.goto("/status")
    expect(page.get_by_role("row", name="Documents")).to_be_visible()
    emulator.stop()
    page.get_by_role("navigation").get_by_role("link", name="Logs").click()
    expect(page.get_by_role("alert")).to_have_text("The emulator can't be reached.")
    emulator.start()
    expect(page.get_by_role("heading", level=1)).to_have_text("Logs")
    expect(page.get_by_role("alert")).to_have_count(0)
    context.problems.clear()


def test_a_restart_on_other_ports_is_detected(context, page, emulator):
    page.goto("/data/users")
    expect(page.get_by_role("link", name="sarah")).to_be_visible()
    emulator.stop()
    emulator.ports |= {"firestore": 0, "functions": 0}
    with page.expect_navigation():
        emulator.start()
    expect(page.get_by_role("link", name="sarah")).to_be_visible()
    context.problems.clear()


@pytest.mark.parametrize("is_read", [True, False])
@pytest.mark.parametrize("path, search", [("/events", "Search texts"), ("/logs", "Text")])
def test_a_pending_search_ends_when_the_page_is_left(page, path, search, is_read):
    if not is_read:
        page.route(re.compile("/api/(invocations|logs)"), lambda route: None)
    page.clock.install(time=0)
    page.goto(path)
    expect(page.locator(f"main[aria-busy={str(not is_read).lower()}]")).to_be_visible()
    page.clock.pause_at(3_600_000)
    page.get_by_role("searchbox", name=search).fill("zebra")
    page.get_by_role("navigation").get_by_role("link", name="Status").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Status")
    page.clock.run_for(1_000)
    expect(page).to_have_url("/status")


def test_a_restart_with_another_project_is_detected(context, page, emulator):
    page.goto("/data/users")
    expect(page.get_by_role("link", name="sarah")).to_be_visible()
    emulator.stop()
    emulator.options += ["--project", "demo-second"]
    with page.expect_navigation():
        emulator.start()
    expect(page.get_by_role("banner")).to_contain_text("demo-second")
    page.get_by_role("link", name="sarah").click()
    expect(page.get_by_text("Sarah", exact=True)).to_be_visible()
    context.problems.clear()


def test_a_restart_is_announced(context, page, emulator):
    page.goto("/status")
    expect(page.get_by_role("row", name="Documents")).to_be_visible()
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    # The message disappears after five seconds, maybe before the demo has been written.
    page.locator("#connection").evaluate("""(banner) => {
        window.said = new Promise((done) => new MutationObserver(() => {
            if (!banner.hidden && banner.textContent.includes("was restarted")) done();
        }).observe(banner, { attributes: true, childList: true }));
    }""")
    emulator.start()
    page.evaluate("() => said")
    # The page reads its content again, and there is some.
    expect(page.get_by_role("row", name="Documents")).to_be_visible()
    expect(page.get_by_role("row", name="Project")).to_contain_text("demo-worldchat")
    # Chromium logs the refused connections.
    context.problems.clear()


def test_a_hidden_page_closes_its_connection_silently(context, page, emulator):
    def set_hidden(is_hidden):
        page.evaluate("""(isHidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", is_hidden)

    banner = page.locator("#connection")
    page.clock.install()
    page.goto("/data/users/sarah")
    name = page.locator(".field", has=page.get_by_text("displayName", exact=True)).locator(".value")
    expect(name).to_have_text("Sarah")
    set_hidden(True)
    page.clock.fast_forward(3_000)
    assert banner.is_hidden()
    emulator.write("users/sarah", {**emulator.get("users/sarah"), "displayName": {"stringValue": "Sara"}})
    set_hidden(False)
    assert banner.is_hidden()
    expect(name).to_have_text("Sara")
    # A stopped emulator is still reported.
    set_hidden(True)
    page.clock.fast_forward(3_000)
    emulator.stop()
    set_hidden(False)
    expect(banner).to_contain_text("doesn't respond")
    emulator.start()
    expect(banner).to_contain_text("was restarted")
    context.problems.clear()


def test_dead_letters_are_counted_in_the_navigation(page, emulator):
    badge = page.get_by_role("navigation").get_by_role("link", name=re.compile("dead letter"))
    page.goto("/data/users")
    expect(page.get_by_role("link", name="sarah")).to_be_visible()
    expect(badge).to_be_hidden()
    emulator.request("POST", "functions", "/providers/faults",
                     {"provider": "translation", "kind": "status", "status": 403, "times": 20})
    message = {"senderId": {"stringValue": "sarah"}, "text": {"stringValue": "It's raining cats and dogs!"},
               "language": {"stringValue": "en"}, "timestamp": {"timestampValue": "2026-01-01T10:00:00Z"}}
    emulator.write("conversations/sarah-marco/messages/rain", message)
    # The count appears on the open page, and is on every other one.
    expect(badge).to_have_text("1")
    for name in ["Chat", "Status"]:
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(badge).to_have_accessible_name("1 dead letter")
    # The navigation of a narrow page is scrolled to its last entry.
    page.set_viewport_size({"width": 360, "height": 740})
    page.reload()
    expect(badge).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("navigation").get_by_role("link", name="Status")).to_be_in_viewport(ratio=1)
    badge.click()
    expect(page).to_have_url("/events?state=deadLettered")
    dead = page.locator(".row.single")
    expect(dead).to_have_count(1)
    emulator.request("DELETE", "functions", "/providers/faults")
    dead.get_by_role("link").click()
    page.get_by_role("button", name="Retry").first.click()
    expect(badge).to_be_hidden()
