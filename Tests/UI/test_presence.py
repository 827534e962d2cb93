"""Presence: a user is online as long as one of the user's phones is connected."""

import os
import re
import signal

import pytest
from conftest import CHROMIUM
from playwright.sync_api import expect
from realtime import (
    hold_messages, is_missing, is_offline, is_online, make_messages_holdable, put, release_messages, sent_token, values,
    wait_for, wait_for_held, wait_for_listener,
)
from test_chat import HELLO, choose_in_menu, go_offline, phone, string
from test_sign_in import expire_tokens, is_renewal


@pytest.fixture
def other(chromium, emulator):
    """Another browser profile. What it logs doesn't matter."""
    context = chromium.new_context(base_url=emulator.url("ui"))
    yield context
    context.close()


@pytest.fixture
def other_browser(chromium, emulator):
    """A browser of its own, and its process."""
    browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    browser.process = next(each["id"] for each in processes if each["type"] == "browser")
    yield browser
    browser.close()


def open_at(conversation):
    """Returns a predicate for the presence of a user who sees a conversation, or none for None."""
    return lambda status: is_online(status) and status.get("open") == conversation


def subtitle(page, name):
    return phone(page, name).locator(".subtitle")


def open_phone(page, place):
    page.goto(f"/chat?phones={place}")
    expect(page.get_by_text(HELLO, exact=True).first).to_be_visible()


def test_the_visible_conversation_is_in_the_presence(page, emulator):
    page.goto("/chat?phones=sarah:sarah-marco,marco")
    status = wait_for(emulator, "status/sarah", open_at("sarah-marco"))
    assert status.keys() == {"state", "last_changed", "open"} and isinstance(status["last_changed"], int)
    wait_for(emulator, "status/marco", open_at(None))
    sarah = phone(page, "Sarah")
    sarah.get_by_role("button", name="All conversations").click()
    wait_for(emulator, "status/sarah", open_at(None))
    sarah.get_by_role("button", name="Trip to Rome").click()
    wait_for(emulator, "status/sarah", open_at("trip"))
    # A narrow page shows one phone.
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("group", name="Phones").get_by_role("button", name="Marco").click()
    wait_for(emulator, "status/sarah", open_at(None))
    page.get_by_role("group", name="Phones").get_by_role("button", name="Sarah").click()
    wait_for(emulator, "status/sarah", open_at("trip"))


def test_presence_is_in_the_profile(page, emulator):
    open_phone(page, "sarah:sarah-marco,marco:sarah-marco")
    expect(subtitle(page, "Sarah")).to_have_text("online")
    emulator.quiet()
    profile = emulator.get("users/marco")
    assert (profile["online"], profile["open"]) == ({"booleanValue": True}, string("sarah-marco"))
    go_offline(phone(page, "Marco"))
    # Seconds would be cut off on a narrow phone.
    expect(subtitle(page, "Sarah")).to_have_text(re.compile(r"^last seen \d\d:\d\d$"))
    wait_for(emulator, "status/marco", is_offline)
    emulator.quiet()
    profile = emulator.get("users/marco")
    assert profile["online"] == {"booleanValue": False} and "open" not in profile
    phone(page, "Marco").get_by_role("switch", name="Offline").check()
    expect(subtitle(page, "Sarah")).to_have_text("online")


def test_a_hidden_page_is_offline_after_a_while(page, emulator):
    def set_hidden(is_hidden):
        page.evaluate("""(isHidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", is_hidden)

    open_phone(page, "sarah:sarah-marco")
    states = values(emulator, "status/sarah")
    next(state for state in states if open_at("sarah-marco")(state))
    set_hidden(True)
    assert open_at(None)(next(states))
    assert is_offline(next(states))
    set_hidden(False)
    assert open_at("sarah-marco")(next(states))


def type_at(page, name):
    phone(page, name).get_by_role("textbox", name="Message").press_sequentially("H")


@pytest.mark.parametrize("ending", ["tab", "page", "phone", "sign-out"])
def test_a_user_who_leaves_is_offline(page, emulator, other, ending):
    open_phone(page, "sarah:sarah-marco")
    leaving = other.new_page()
    open_phone(leaving, "marco:sarah-marco")
    expect(subtitle(page, "Sarah")).to_have_text("online")
    type_at(leaving, "Marco")
    expect(phone(page, "Sarah").get_by_text("Marco is typing")).to_be_visible()
    if ending == "tab":
        leaving.close()
    elif ending == "page":
        leaving.goto("/status")
    else:
        choose_in_menu(phone(leaving, "Marco"), "Sign out" if ending == "sign-out" else "Remove this phone")
    expect(subtitle(page, "Sarah")).to_contain_text("last seen")
    wait_for(emulator, "status/marco", is_offline)
    wait_for(emulator, "typingIndicators/sarah-marco", is_missing)


def test_a_killed_browser_is_offline(page, emulator, other_browser):
    open_phone(page, "sarah:sarah-marco")
    killed = other_browser.new_page(base_url=emulator.url("ui"))
    open_phone(killed, "marco:sarah-marco")
    expect(subtitle(page, "Sarah")).to_have_text("online")
    type_at(killed, "Marco")
    expect(phone(page, "Sarah").get_by_text("Marco is typing")).to_be_visible()
    os.kill(other_browser.process, signal.SIGKILL)
    expect(subtitle(page, "Sarah")).to_contain_text("last seen")
    wait_for(emulator, "typingIndicators/sarah-marco", is_missing)
    expect(phone(page, "Sarah").get_by_text("Marco is typing")).to_have_count(0)


def test_a_browser_without_a_network_is_offline_until_it_has_one(page, emulator, other):
    """Playwright's `set_offline` fires the page's `offline` event, and the page then closes its connection.

    A network that is lost without the event isn't tested: the connection then stays open until the server closes it.
    """
    open_phone(page, "sarah:sarah-marco")
    cut = other.new_page()
    open_phone(cut, "marco:sarah-marco")
    expect(subtitle(page, "Sarah")).to_have_text("online")
    type_at(cut, "Marco")
    expect(phone(page, "Sarah").get_by_text("Marco is typing")).to_be_visible()
    other.set_offline(True)
    expect(subtitle(page, "Sarah")).to_contain_text("last seen")
    wait_for(emulator, "typingIndicators/sarah-marco", is_missing)
    other.set_offline(False)
    expect(subtitle(page, "Sarah")).to_have_text("online")


def test_a_user_who_closes_one_tab_stays_online_in_the_other(context, page, emulator):
    open_phone(page, "sarah:sarah-marco")
    closed = context.new_page()
    closed.goto("/chat?phones=sarah:trip")
    states = values(emulator, "status/sarah")
    next(state for state in states if open_at("trip")(state))
    # The user no longer sees the conversation that was opened last, but still sees the other one.
    closed.get_by_role("button", name="All conversations").click()
    assert open_at(None)(next(states))
    assert open_at("sarah-marco")(next(states))
    closed.close()
    assert is_offline(next(states))
    assert open_at("sarah-marco")(next(states))


def test_two_phones_of_one_user_on_a_page(page, emulator):
    page.goto("/chat?phones=sarah:sarah-marco,sarah")
    first, second = phone(page, "Sarah").first, phone(page, "Sarah").last
    expect(second.get_by_role("button", name="Trip to Rome")).to_be_visible()
    wait_for(emulator, "status/sarah", open_at("sarah-marco"))
    states = values(emulator, "status/sarah")
    next(states)
    go_offline(first)
    next(state for state in states if is_offline(state))
    assert open_at(None)(next(states))
    first.get_by_role("switch", name="Offline").check()
    next(state for state in states if open_at("sarah-marco")(state))


def test_a_user_is_online_again_after_the_emulator_was_gone(context, page, emulator):
    open_phone(page, "sarah:sarah-marco,marco:sarah-marco")
    wait_for(emulator, "status/sarah", is_online)
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    for uid in ("sarah", "marco"):
        wait_for(emulator, f"status/{uid}", open_at("sarah-marco"))
    type_at(page, "Sarah")
    expect(phone(page, "Marco").get_by_text("Sarah is typing")).to_be_visible()
    # Chromium logs the refused connections.
    context.problems.clear()


def test_a_user_stays_online_when_the_token_expires(context, page, emulator):
    opened = []
    page.on("websocket", lambda socket: opened.append(socket))
    open_phone(page, "sarah:sarah-marco,marco:sarah-marco")
    conversation = "/typingIndicators/sarah-marco"
    for uid in ("sarah", "marco"):
        wait_for(emulator, f"status/{uid}", open_at("sarah-marco"))
        wait_for_listener(emulator, uid, conversation)
    sockets = [socket for socket in opened if "/.ws?" in socket.url]
    assert len(sockets) == 2
    states = values(emulator, "status/sarah")
    next(states)
    with sockets[0].expect_event("framesent", sent_token), sockets[1].expect_event("framesent", sent_token):
        expire_tokens(emulator)
    for uid in ("sarah", "marco"):
        wait_for_listener(emulator, uid, conversation)
    for name, other_name in [("Sarah", "Marco"), ("Marco", "Sarah")]:
        type_at(page, name)
        expect(phone(page, other_name).get_by_text(f"{name} is typing")).to_be_visible()
    sarah = phone(page, "Sarah")
    sarah.get_by_role("button", name="All conversations").click()
    # No state has come since the beginning, in particular none of a user who is offline.
    assert open_at(None)(next(states))
    # The phone still listens to its presence.
    put(emulator, "status/sarah", None)
    wait_for(emulator, "status/sarah", open_at(None))
    assert len(opened) == len(sockets)
    page.close()
    wait_for(emulator, "status/sarah", is_offline)
    # Chromium logs the refused requests.
    context.problems.clear()


def test_a_phone_whose_token_cannot_be_renewed_connects_again(context, page, emulator):
    open_phone(page, "sarah:sarah-marco")
    wait_for(emulator, "status/sarah", open_at("sarah-marco"))
    page.route("**/securetoken.googleapis.com/**", lambda route: route.abort())
    with page.expect_event("websocket"):
        expire_tokens(emulator)
    put(emulator, "status/sarah", None)
    with page.expect_event("requestfinished", is_renewal):
        page.unroute_all()
    wait_for(emulator, "status/sarah", open_at("sarah-marco"))
    context.problems.clear()


def test_what_a_phone_writes_with_an_expired_token_is_written_with_the_next_one(context, page, emulator):
    """The phone writes before it hears that its token has expired."""
    make_messages_holdable(page)
    open_phone(page, "sarah:sarah-marco")
    wait_for(emulator, "status/sarah", open_at("sarah-marco"))
    hold_messages(page, "true")
    expire_tokens(emulator)
    wait_for_held(page, '"ac"')
    phone(page, "Sarah").get_by_role("button", name="All conversations").click()
    wait_for_held(page, "permission_denied")
    release_messages(page)
    wait_for(emulator, "status/sarah", open_at(None))
    context.problems.clear()


def test_a_user_beyond_the_end_of_the_list_is_online_too(page, emulator):
    root = emulator.documents.removeprefix("/v1/")
    names = [*(f"many-{number}" for number in range(300)), "zoe"]
    writes = [{"update": {"name": f"{root}/users/{name}", "fields": {"displayName": string(name.title())}}}
              for name in names]
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": writes})
    page.goto("/chat?phones=zoe")
    wait_for(emulator, "status/zoe", is_online)
    expect(phone(page, "Zoe").get_by_role("switch", name="Online")).to_be_checked()


def test_a_user_without_a_profile_is_marked(page, emulator):
    page.goto("/chat?phones=nobody")
    expect(phone(page, "nobody").get_by_role("switch", name="Online, no profile")).to_be_checked()
