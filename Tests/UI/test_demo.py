"""The demo's data, which an empty database offers to write."""

import json
import urllib.error
import urllib.request

import pytest
from conftest import Emulator
from playwright.sync_api import expect
from test_chat import HELLO, message, own, phone

OFFER = "Write the demo's data"


@pytest.fixture
def emulator(tmp_path):
    """An emulator without data."""
    emulator = Emulator(tmp_path, seed=False)
    yield emulator
    emulator.stop()


def test_the_data_page_offers_the_demo(page, emulator):
    page.goto("/data")
    page.get_by_role("button", name=OFFER).click()
    collections = page.get_by_role("region", name="Collections")
    expect(collections.get_by_role("link", name="conversations")).to_be_visible()
    expect(collections.get_by_role("link", name="users")).to_be_visible()
    expect(page.get_by_role("button", name=OFFER)).to_have_count(0)
    # The functions run on it.
    emulator.quiet()
    hello = emulator.get("conversations/sarah-marco/messages/hello")
    assert "it" in hello["translations"]["mapValue"]["fields"]


def test_a_phone_without_people_offers_the_demo(page, emulator):
    page.goto("/chat")
    page.get_by_role("button", name=OFFER).click()
    # The demo's two phones appear, signed in.
    expect(message(phone(page, "Marco"), HELLO)).to_contain_text("Italian")
    expect(own(phone(page, "Sarah"), HELLO)).to_be_visible()


def test_the_events_page_offers_the_demo(page, emulator):
    page.goto("/events")
    page.get_by_role("button", name=OFFER).click()
    expect(page.locator(".row.group", has_text=HELLO)).to_be_visible()


def post(emulator, **headers):
    """Asks for the demo's data, and returns the status and the response."""
    request = urllib.request.Request(emulator.url("ui", "/api/demo"), b"{}", {"content-type": "application/json"} | headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_existing_data_is_not_overwritten(emulator):
    status, refusal = post(emulator, origin="https://other.example")
    assert status == 403, refusal
    assert post(emulator) == (200, {"written": True})
    emulator.write("users/sarah", {"displayName": {"stringValue": "Sara"}})
    status, refusal = post(emulator)
    assert status == 409
    assert refusal["error"]["status"] == "ALREADY_EXISTS"
    assert refusal["error"]["message"] == (
        "the demo's documents exist: clear all documents before you write them again"
    )
    assert emulator.get("users/sarah")["displayName"] == {"stringValue": "Sara"}
