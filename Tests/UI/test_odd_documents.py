"""Documents with fields of wrong types, which any client may write. Every page must show the other
documents."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from realtime import is_online, wait_for, wait_for_listener
from test_chat import documents, message, open_chat, phone, string

PAGES = Path(__file__).resolve().parents[2] / "emulator/Pages/www/pages"

ODD = {
    "text": string("odd " * 10_000),
    "nothing": {"nullValue": None},
    "truth": {"booleanValue": True},
    "integer": {"integerValue": "9223372036854775807"},
    "double": {"doubleValue": "NaN"},
    "time": {"timestampValue": "0001-01-01T00:00:00Z"},
    "bytes": {"bytesValue": "AAEC"},
    "reference": {"referenceValue": "projects/p/databases/(default)/documents/users/sarah"},
    "point": {"geoPointValue": {}},
    "array": {"arrayValue": {"values": [{"integerValue": "1"}, {"nullValue": None}, {"mapValue": {}}]}},
    "map": {"mapValue": {"fields": {"marco": {"doubleValue": "Infinity"}, "it": {"arrayValue": {}},
                                    "constructor": {"integerValue": "1"}, "text": {"geoPointValue": {}}}}},
    "absent": None,
}

CONVERSATION = ["type", "name", "lastMessage", "lastMessageAt", "createdAt", "lastMessageId", "participantLanguages",
                "languageOverrides", "joinedAt", "settings"]
MESSAGE = ["senderId", "text", "timestamp", "clientTimestamp", "status", "language", "languageSource", "translations",
           "translationMeta", "readBy", "readAt", "mediaURL"]
PROFILE = ["displayName", "primaryLanguage", "language", "online", "lastSeen", "fcmToken", "fcmTokens", "createdAt"]
HINT = ["messageId", "language", "textHash", "idiomDetected", "explanation", "suggestedEquivalent", "engine",
        "timestamp"]


def odd_fields(names, value):
    return {} if value is None else dict.fromkeys(names, value)


def put_odd_documents(emulator):
    """Writes documents of every kind that pages read: one for each type, with all fields of that
    type."""
    root = emulator.documents.removeprefix("/v1/")
    writes = []

    def put(path, fields):
        writes.append({"update": {"name": f"{root}/{path}", "fields": fields}})

    for name, value in ODD.items():
        members = {"arrayValue": {"values": [string("sarah"), *([value] if name not in ("absent", "array") else [])]}}
        put(f"conversations/odd-{name}", odd_fields(CONVERSATION, value) | {"participants": members})
        put(f"conversations/sarah-marco/messages/odd-{name}", odd_fields(MESSAGE, value))
        put(f"users/odd-{name}", odd_fields(PROFILE, value))
        put(f"users/sarah/inbox/odd-{name}", odd_fields(["unread", "lastMessageId"], value))
        put(f"users/sarah/devices/odd-{name}", odd_fields(["fcmToken", "platform", "updatedAt"], value))
        put(f"aiAnalysis/odd-{name}", odd_fields(HINT, value) | {"conversationId": string("sarah-marco")})
    # Functions would reject these documents.
    emulator.request("PUT", "ui", "/api/triggers", {"paused": True})
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": writes})


def test_odd_documents_do_not_hide_others_in_the_chat(page, emulator):
    put_odd_documents(emulator)
    page.goto("/chat?phones=sarah,marco:sarah-marco,odd-map")
    sarah = phone(page, "Sarah")
    conversations = sarah.locator(".conversations").get_by_role("listitem")
    known = [one for one in documents(emulator, "conversations").values()
             if string("sarah") in one["fields"]["participants"]["arrayValue"]["values"]]
    expect(conversations).to_have_count(len(known))
    expect(sarah.get_by_text("Loading…")).to_have_count(0)
    expect(page.get_by_text("can't be shown")).to_have_count(0)
    # An odd document without a valid time shows none, and long values are cut.
    odd = conversations.filter(has_text="odd odd")
    assert len(odd.first.inner_text()) < 500
    marco = phone(page, "Marco")
    expect(message(marco, "Hey, let's meet for coffee tomorrow!")).to_be_visible()
    # Messages are shown if they have a timestamp of any type.
    expect(marco.locator(".message")).to_have_count(
        len([one for one in documents(emulator, "conversations/sarah-marco/messages").values()
             if "timestamp" in one.get("fields", {})]))
    expect(phone(page, "odd-map")).to_be_visible()
    for name in ODD:
        page.goto(f"/chat?phones=sarah:odd-{name}")
        expect(phone(page, "Sarah").get_by_text("No messages yet.")).to_be_visible()


ODD_JSON = {
    "text": "odd " * 10_000, "truth": True,
    "negative": -1, "large": 1.7e308, "fraction": 0.5, "future": 32_503_680_000_000,
    "object": {"state": {"state": "online"}, "open": 1, "marco": 1}, "number": {".value": 1, ".priority": "online"},
    "priority": {".priority": 2, "state": "online"}, "array": [None, 1, [2]],
}


def test_odd_data_in_the_realtime_database_is_no_typing(page, emulator):
    emulator.request("PATCH", "database", "/status.json", ODD_JSON)
    for path, values in [("typingIndicators/sarah-marco", ODD_JSON), ("typingIndicators/trip", "odd"),
                         ("status/marco", "odd")]:
        emulator.request("PUT", "database", f"/{path}.json", values)
    open_chat(page, emulator, "sarah:trip,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    for uid, conversation in [("sarah", "trip"), ("marco", "sarah-marco")]:
        wait_for_listener(emulator, uid, f"/typingIndicators/{conversation}")
    # A time in the future is as old as its arrival.
    expect(marco.locator(".typing")).to_be_empty()
    expect(sarah.locator(".typing")).to_be_empty()
    sarah.get_by_role("button", name="All conversations").click()
    sarah.get_by_role("button", name="Marco").click()
    sarah.get_by_role("textbox", name="Message").press_sequentially("H")
    expect(marco.locator(".typing")).to_have_text("Sarah is typing")
    expect(marco.locator(".typing")).to_be_empty()
    # Data that arrives later is no typing, either, unless it is a number.
    emulator.request("PUT", "database", "/typingIndicators/sarah-marco.json", {})
    emulator.request("PUT", "database", "/typingIndicators/sarah-marco.json", ODD_JSON)
    numbers = ["fraction", "future", "large", "negative"]
    expect(marco.locator(".typing")).to_have_text(f"{', '.join(numbers)} are typing")
    expect(marco.locator(".typing")).to_be_empty()
    # Marco's phone has replaced his odd presence.
    wait_for(emulator, "status/marco", is_online)


@pytest.mark.parametrize("member, of", [("lastMessageAt", "conversations/sarah-marco"),
                                        ("clientTimestamp", "conversations/sarah-marco/messages/odd")])
def test_a_text_in_a_time_field_is_ignored(page, emulator, member, of):
    fields = emulator.get(of) if member == "lastMessageAt" else {"text": string("odd"), "senderId": string("sarah")}
    emulator.write(of, fields | {member: string("yesterday")})
    open_chat(page, emulator, "marco,sarah:sarah-marco")
    marco = phone(page, "Marco")
    expect(marco.locator(".conversations").get_by_role("listitem")).to_have_count(2)
    expect(message(phone(page, "Sarah"), "Hey, let's meet for coffee tomorrow!")).to_be_visible()


def test_odd_documents_are_shown_on_every_other_page(page, emulator):
    put_odd_documents(emulator)
    emulator.request("PUT", "ui", "/api/triggers", {"paused": False})
    emulator.quiet()
    page.goto("/phones")
    expect(page.get_by_role("list", name="Lock screens").get_by_role("listitem").first).to_be_visible()
    expect(page.get_by_text("marco-phone")).to_be_visible()
    for name, value in ODD.items():
        page.goto(f"/data/conversations/sarah-marco/messages/odd-{name}")
        shown = page.get_by_role("region", name="Document", exact=True)
        expect(shown.get_by_text("text", exact=True) if value else shown.get_by_text("no fields")).to_be_visible()
    page.goto("/data/users")
    expect(page.get_by_role("list", name="Documents").get_by_role("link", name="sarah", exact=True)).to_be_visible()
    deliveries = emulator.request("GET", "ui", "/api/events?limit=1000")
    for name, value in ODD.items():
        path = f"conversations/sarah-marco/messages/odd-{name}"
        delivery = next(one for one in deliveries if one["document"] == path)
        page.goto(f"/events/{delivery['eventId']}")
        expect(page.get_by_role("heading", level=1)).to_have_text(path)
        if value:
            expect(page.get_by_role("rowheader", name="clientTimestamp", exact=True).first).to_be_visible()
    for path, role, name in [("/events", "listitem", None), ("/functions", "heading", "translateMessage"),
                             ("/logs", "listitem", None), ("/status", "row", "Documents")]:
        page.goto(path)
        expect(page.get_by_role("main").get_by_role(role, name=name).first).to_be_visible()
    page.goto("/functions/translateMessage")
    expect(page.get_by_role("textbox", name="Event")).to_have_value(re.compile("specversion"))


def test_an_item_that_fails_does_not_hide_others_in_its_list(context, page):
    page.goto("/status")
    texts = page.evaluate("""async () => {
      const { h, reconcile } = await import("/assets/lib/dom.js");
      const list = h("ul");
      const make = (item) => {
        if (item === 2) throw new Error("two");
        return h("li", {}, String(item));
      };
      const draw = (items) => {
        reconcile(list, items, { key: (item) => item, make, update: (element, item) => make(item) });
        return [...list.children].map((element) => element.textContent);
      };
      return [draw([1, 2, 3]), draw([3, 2, 1]), draw([1, 3])];
    }""")
    failed = "This can't be shown: two"
    assert texts == [["1", failed, "3"], ["3", failed, "1"], ["1", "3"]]
    # The console still has the errors.
    assert len(context.problems) == 2
    context.problems.clear()


def test_a_listener_is_notified_even_if_another_one_fails(context, page):
    page.goto("/status")
    page.evaluate("""async () => {
      const { listen } = await import("/assets/lib/listeners.js");
      const { Firestore } = await import("/assets/lib/firestore.js");
      const documents = [await new Firestore().name("users/sarah")];
      listen({ documents: { documents } }, () => { throw new Error("one"); });
      await new Promise((done) => listen({ documents: { documents } }, done));
    }""")
    assert context.problems == ["one"]
    context.problems.clear()


def test_documents_are_read_by_the_types_of_their_members():
    """Only code that shows any value, or edits documents, may read Firestore's JSON directly."""
    reading = re.compile(r"\.(string|integer|double|boolean|timestamp|array|map)Value\b|\bdecode\w*\(.*fields|\.fields\?\.")
    allowed = {"events/diff.js"} | {str(path.relative_to(PAGES)) for path in (PAGES / "data").iterdir()}
    found = {str(path.relative_to(PAGES)) for path in PAGES.rglob("*.js") if reading.search(path.read_text())}
    assert found - allowed == set()
