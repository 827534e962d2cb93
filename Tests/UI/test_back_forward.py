"""Pages that the browser keeps for its Back button."""

import pytest
from conftest import CHROMIUM
from playwright.sync_api import expect
from test_chat import put_conversation
from test_presence import says


@pytest.fixture
def kept_page(chromium, emulator):
    """A page of a Chromium that keeps what one has left, as people have it."""
    browser = chromium.browser_type.launch(
        executable_path=CHROMIUM, args=["--no-sandbox"], ignore_default_args=["--disable-back-forward-cache"]
    )
    yield browser.new_page(base_url=emulator.url("ui"))
    browser.close()


def test_page_after_page_in_one_tab_is_shown(kept_page):
    for number in range(8):
        kept_page.goto(f"/status?visit={number}")
        expect(kept_page.get_by_role("row", name="Documents")).to_be_visible()


def test_a_page_that_comes_back_is_live(kept_page, emulator):
    with kept_page.expect_event("requestfinished", says("sarah", True)):
        kept_page.goto("/chat?phones=sarah")
    kept_page.evaluate("window.isKept = true")
    # Who leaves the page is offline, and online again when it comes back.
    kept_page.goto("/status")
    expect(kept_page.get_by_role("row", name="Documents")).to_be_visible()
    # What a page sends while it is left is no event of its own.
    while emulator.get("users/sarah")["online"] != {"booleanValue": False}:
        kept_page.wait_for_timeout(20)
    with kept_page.expect_request(says("sarah", True)):
        kept_page.go_back(wait_until="commit")
    assert kept_page.evaluate("window.isKept")
    put_conversation(emulator, "later", "sarah", "lea")
    expect(kept_page.get_by_role("listitem").filter(has_text="Léa")).to_be_visible()
