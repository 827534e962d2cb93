"""Pages in the browser's back/forward cache."""

import pytest
from conftest import CHROMIUM
from playwright.sync_api import expect
from realtime import is_offline, is_online, values
from test_chat import put_conversation


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
    kept_page.goto("/chat?phones=sarah")
    states = values(emulator, "status/sarah")
    next(state for state in states if is_online(state))
    kept_page.evaluate("window.isKept = true")
    # Leaving the page sets the user offline, and returning sets it online again.
    kept_page.goto("/status")
    assert is_offline(next(states))
    expect(kept_page.get_by_role("row", name="Documents")).to_be_visible()
    kept_page.go_back(wait_until="commit")
    assert is_online(next(states))
    assert kept_page.evaluate("window.isKept")
    put_conversation(emulator, "later", "sarah", "lea")
    expect(kept_page.get_by_role("listitem").filter(has_text="Léa")).to_be_visible()
