"""Pages in the browser's back/forward cache."""

import pytest
from conftest import CHROMIUM
from playwright.sync_api import expect
from test_chat import put_conversation
from test_presence import says


@pytest.fixture
def kept_page(chromium, emulator):
    """A page of a Chromium whose back/forward cache is on, as in an ordinary browser."""
    browser = chromium.browser_type.launch(
        executable_path=CHROMIUM, args=["--no-sandbox"], ignore_default_args=["--disable-back-forward-cache"]
    )
    yield browser.new_page(base_url=emulator.url("ui"))
    browser.close()


def test_many_pages_in_one_tab_are_shown(kept_page):
    for number in range(8):
        kept_page.goto(f"/status?visit={number}")
        expect(kept_page.get_by_role("row", name="Documents")).to_be_visible()


def test_a_page_from_the_cache_is_live_again(kept_page, emulator):
    with kept_page.expect_event("requestfinished", says("sarah", True)):
        kept_page.goto("/chat?phones=sarah")
    kept_page.evaluate("window.isKept = true")
    # Leaving the page sets the user offline, and returning sets it online again.
    kept_page.goto("/status")
    expect(kept_page.get_by_role("row", name="Documents")).to_be_visible()
    # Playwright has no event for requests that a page sends while the browser leaves it, so the
    # test polls.
    while emulator.get("users/sarah")["online"] != {"booleanValue": False}:
        kept_page.wait_for_timeout(20)
    with kept_page.expect_request(says("sarah", True)):
        kept_page.go_back(wait_until="commit")
    assert kept_page.evaluate("window.isKept")
    put_conversation(emulator, "later", "sarah", "lea")
    expect(kept_page.get_by_role("listitem").filter(has_text="Léa")).to_be_visible()
