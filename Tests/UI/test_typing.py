"""Typing indicators, as the other phones of a conversation show them."""

import time

from playwright.sync_api import expect
from realtime import (
    hold_messages, is_missing, make_messages_holdable, put, values, wait_for, wait_for_held, wait_for_listener,
)
from test_chat import HELLO, message, open_chat, own, phone, put_conversation, write


def field(phone):
    return phone.get_by_role("textbox", name="Message")


def typing(phone):
    return phone.locator(".typing")


def open_together(page, emulator, conversation, *uids):
    """Opens phones that show one conversation, and waits until they listen to typing."""
    open_chat(page, emulator, ",".join(f"{uid}:{conversation}" for uid in uids))
    for uid in uids:
        wait_for_listener(emulator, uid, f"/typingIndicators/{conversation}")


def test_typing_is_shown_and_disappears_by_itself(page, emulator):
    open_together(page, emulator, "sarah-marco", "sarah", "marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    field(sarah).press_sequentially("H")
    expect(typing(marco)).to_contain_text("Sarah is typing")
    expect(typing(marco)).to_be_empty()
    expect(typing(sarah)).to_be_empty()
    # A sent message ends the indicator at once.
    field(sarah).press_sequentially("i")
    expect(typing(marco)).to_contain_text("Sarah is typing")
    field(sarah).press("Enter")
    expect(message(marco, "Hi")).to_be_visible()
    expect(typing(marco)).to_be_empty()


def test_typing_is_written_at_most_once_a_second(page, emulator):
    page.clock.install()
    open_together(page, emulator, "sarah-marco", "sarah")
    written = values(emulator, "typingIndicators/sarah-marco/sarah")
    assert next(written) is None
    page.clock.pause_at(time.time() + 60)
    text = field(phone(page, "Sarah"))
    text.press_sequentially("Hello")
    page.clock.run_for(1_000)
    text.press_sequentially("!")
    first, second = next(written), next(written)
    assert first <= second
    # The indicator ends three seconds after the last key, and when a message is sent.
    page.clock.run_for(3_000)
    assert next(written) is None
    text.press_sequentially("!")
    text.press("Enter")
    assert second < next(written)
    assert next(written) is None


def test_typing_in_a_new_conversation_is_shown(page, emulator):
    put_conversation(emulator, "new", "sarah", "lea")
    open_together(page, emulator, "new", "sarah", "lea")
    field(phone(page, "Sarah")).press_sequentially("H")
    expect(typing(phone(page, "Léa"))).to_contain_text("Sarah is typing")


def test_a_removed_member_sees_no_typing(page, emulator):
    open_together(page, emulator, "trip", "sarah", "marco", "lea")
    sarah, marco, lea = phone(page, "Sarah"), phone(page, "Marco"), phone(page, "Léa")
    field(marco).press_sequentially("H")
    expect(typing(lea)).to_contain_text("Marco is typing")
    field(lea).press_sequentially("H")
    wait_for(emulator, "typingIndicators/trip/lea", lambda time: time is not None)

    sarah.get_by_role("button", name="Details").click()
    page.get_by_role("dialog").get_by_role("listitem").filter(has_text="Léa").get_by_role("button").click()
    page.keyboard.press("Escape")
    expect(lea.get_by_text("This conversation doesn't exist")).to_be_visible()
    wait_for(emulator, "members/trip/lea", is_missing)
    wait_for(emulator, "typingIndicators/trip/lea", is_missing)
    wait_for_listener(emulator, "lea", "/typingIndicators/trip", count=0)


def test_a_listener_ends_with_the_membership(page, emulator):
    """The rules and the client read the membership in the Realtime Database, not the one in Firestore."""
    open_together(page, emulator, "sarah-marco", "sarah", "marco")
    with page.expect_request("**/mirrorMembership") as asked:
        put(emulator, "members/sarah-marco/marco", None)
        wait_for_listener(emulator, "marco", "/typingIndicators/sarah-marco", count=0)
    # Firestore's document still has Marco, so his phone calls the function.
    assert asked.value.post_data_json == {"data": {"conversationId": "sarah-marco"}}
    wait_for(emulator, "members/sarah-marco/marco", lambda value: value is True)
    wait_for_listener(emulator, "marco", "/typingIndicators/sarah-marco")
    field(phone(page, "Sarah")).press_sequentially("H")
    expect(typing(phone(page, "Marco"))).to_contain_text("Sarah is typing")


def test_a_membership_that_ends_and_begins_again_unseen_keeps_the_typing(page, emulator):
    make_messages_holdable(page)
    open_together(page, emulator, "sarah-marco", "sarah", "marco")
    hold_messages(page, 'text.includes("members/sarah-marco/marco") && text.includes("null")')
    put(emulator, "members/sarah-marco/marco", None)
    wait_for_held(page, "members")
    # The next connection refuses the listener, and the end of the membership doesn't arrive.
    page.evaluate("() => dispatchEvent(new Event('offline'))")
    wait_for_held(page, "members", count=2)
    wait_for_listener(emulator, "marco", "/typingIndicators/sarah-marco", count=0)
    put(emulator, "members/sarah-marco/marco", True)
    wait_for_listener(emulator, "marco", "/typingIndicators/sarah-marco")
    field(phone(page, "Sarah")).press_sequentially("H")
    expect(typing(phone(page, "Marco"))).to_contain_text("Sarah is typing")


def test_a_phone_works_without_a_realtime_database(page, emulator):
    def without_database(route):
        answer = route.fetch()
        status = answer.json()
        del status["services"]["database"]
        route.fulfill(response=answer, json=status)

    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.route("**/api/status", without_database)
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(message(marco, HELLO)).to_be_visible()
    field(sarah).press_sequentially("Hm")
    write(sarah, "See you tomorrow!")
    expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    assert sockets == []
