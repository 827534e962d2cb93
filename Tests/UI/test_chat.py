"""WorldChat's use cases, on the phones of the Chat page."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Emulator
from playwright.sync_api import expect

HELLO = "Hey, let's meet for coffee tomorrow!"


def phone(page, name):
    return page.get_by_role("region", name=f"Phone of {name}", exact=True)


def message(phone, text):
    """Returns the bubble whose original text is `text`."""
    return phone.get_by_role("listitem").filter(has=phone.page.get_by_text(text, exact=True))


def own(phone, text):
    return phone.locator(".message.own").filter(has=phone.page.get_by_text(text, exact=True))


def write(phone, text):
    phone.get_by_role("textbox", name="Message").fill(text)
    phone.get_by_role("button", name="Send").click()


def choose_in_menu(phone, item):
    phone.get_by_role("button", name="Menu of this phone").click()
    phone.page.get_by_role("dialog", name="Menu of this phone").get_by_role("button", name=item).click()


def fill_form(phone, **fields):
    """Fills the fields of a form on a phone's screen, by their labels."""
    for label, text in fields.items():
        phone.get_by_label(label, exact=True).fill(text)


def sign_up(page, name, language, email=None, password="secret1"):
    """Signs a new person up on the page's only phone without a user. Returns the phone."""
    empty = page.get_by_role("region", name="Phone", exact=True)
    empty.get_by_role("button", name="New here? Sign up").click()
    fill_form(empty, Name=name, Email=email or f"{name.lower()}@example.com", Password=password)
    empty.get_by_label("Language").select_option(language)
    empty.get_by_role("button", name="Sign up").click()
    return phone(page, name)


def open_chat(page, emulator, phones):
    emulator.quiet()
    places = phones.split(",")
    # Pushes that arrive before the page listens to the inbox and to each phone's devices show no
    # banner.
    left = 1 + sum("offline" not in place for place in places)

    def is_last(request):
        nonlocal left
        left -= any(word in (request.post_data or "") for word in ['"pushes"', "%22devices%22"])
        return left == 0

    with page.expect_event("requestfinished", is_last):
        page.goto(f"/chat?phones={phones}")
    for place in places:
        if ":" in place and "offline" not in place:
            expect(page.get_by_role("log").first).to_be_visible()


def documents(emulator, path):
    """Returns all documents of a collection, by id."""
    answer = emulator.request("GET", "firestore", f"{emulator.documents}/{path}?pageSize=300")
    return {one["name"].rsplit("/", 1)[1]: one for one in (answer or {}).get("documents", [])}


def texts(phone):
    return phone.locator(".message .text").all_inner_texts()


def string(value):
    return {"stringValue": value}


def put_messages(emulator, conversation, count, sender="sarah", reader=None, text="Message {}"):
    """Writes messages a second apart, the first one an hour before the demo's."""
    root = emulator.documents.removeprefix("/v1/")
    writes = []
    for number in range(1, count + 1):
        fields = {
            "senderId": string(sender), "text": string(text.format(number)), "status": string("sent"),
            "language": string("en"),
            "timestamp": {"timestampValue": f"2026-01-01T10:{number // 60:02}:{number % 60:02}Z"},
            "readBy": {"arrayValue": {"values": [string(reader)] if reader else []}},
        }
        name = f"{root}/conversations/{conversation}/messages/old-{number:03}"
        writes.append({"update": {"name": name, "fields": fields}})
    emulator.request("POST", "firestore", f"{emulator.documents}:commit", {"writes": writes})


# A banner disappears after eight seconds, which may be too short on a slow machine.
KEEP_BANNERS = """
  const later = window.setTimeout;
  window.setTimeout = (work, milliseconds, ...rest) =>
    milliseconds === 8_000 ? 0 : later(work, milliseconds, ...rest);
"""


def put_conversation(emulator, conversation, *participants):
    values = [string(participant) for participant in participants]
    emulator.write(
        f"conversations/{conversation}",
        {"type": string("one-on-one"), "participants": {"arrayValue": {"values": values}}},
    )


def test_a_message_is_shown_at_once_translated_and_read(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(own(sarah, HELLO).get_by_text("Read")).to_be_visible()

    write(sarah, "See you tomorrow!")
    expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    seen = message(marco, "See you tomorrow!")
    expect(seen.get_by_text("A domani!")).to_be_visible()
    expect(seen.get_by_text("See you tomorrow!")).to_be_visible()

    emulator.quiet()
    stored = [
        one["fields"] for one in documents(emulator, "conversations/sarah-marco/messages").values()
        if one["fields"]["text"] == string("See you tomorrow!")
    ]
    assert len(stored) == 1
    assert stored[0]["status"] == string("read")
    assert stored[0]["readBy"] == {"arrayValue": {"values": [string("marco")]}}
    assert "clientTimestamp" in stored[0]


def test_a_text_outside_the_phrasebook_is_tagged_and_not_shown_as_a_translation(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    write(sarah, "The docks are closed on Tuesdays")
    seen = message(marco, "The docks are closed on Tuesdays")
    note = seen.locator(".untranslated")
    expect(note).to_contain_text("not in the phrasebook")
    expect(note.get_by_text("See you tomorrow!")).to_be_visible()
    expect(seen).not_to_contain_text("⟦")
    # The document still has a text for each reader, as WorldChat's apps expect.
    emulator.quiet()
    stored = [one["fields"] for one in documents(emulator, "conversations/sarah-marco/messages").values()]
    marked = [one["translations"]["mapValue"]["fields"]["it"] for one in stored
              if one["text"] == string("The docks are closed on Tuesdays")]
    assert marked == [string("⟦it⟧ The docks are closed on Tuesdays")]
    # A phrase that the note suggests has a translation.
    write(sarah, note.locator("q").first.inner_text())
    expect(message(marco, "A domani!")).to_be_visible()

    marco.get_by_role("button", name="All conversations").click()
    write(sarah, "The ferry leaves from pier five")
    expect(marco.locator(".last", has_text="The ferry leaves from pier five")).to_be_visible()
    expect(marco).not_to_contain_text("⟦")

    put_messages(emulator, "trip", 1, text="The museum opens at noon tomorrow")
    emulator.quiet()
    page.goto("/phones")
    for text in ["The ferry leaves from pier five", "Sarah: The museum opens at noon tomorrow"]:
        push = page.locator(".notification", has_text=text).first
        expect(push.get_by_text("not translated")).to_be_visible()
        expect(push.locator(".body")).not_to_contain_text("⟦")


def test_a_user_elsewhere_gets_a_translated_push_and_a_badge(page, emulator):
    page.add_init_script(KEEP_BANNERS)
    open_chat(page, emulator, "sarah:sarah-marco,marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    # Three of Sarah's messages are unread since the demo.
    expect(marco.locator(".badge")).to_contain_text("3")

    write(sarah, "See you tomorrow!")
    banner = marco.get_by_role("button", name="Sarah A domani!", exact=True)
    expect(banner).to_be_visible()
    expect(marco.locator(".badge")).to_contain_text("4")
    expect(own(sarah, "See you tomorrow!").get_by_text("Delivered")).to_be_visible()

    # The banner opens its conversation, and the messages read there no longer count in the badge.
    banner.click()
    expect(message(marco, "See you tomorrow!")).to_be_visible()
    expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    expect(marco.locator(".badge")).to_contain_text("1")


def test_the_badge_counts_messages_that_came_while_disconnected(page, emulator):
    open_chat(page, emulator, "marco")
    badge = phone(page, "Marco").locator(".badge")
    expect(badge).to_contain_text("3")
    stream = """async (name) => (await import("/assets/lib/emulator.js")).stream[name]()"""
    page.evaluate(stream, "disconnect")
    emulator.write("users/marco/inbox/other", {"unread": {"integerValue": "4"}})
    emulator.quiet()
    page.evaluate(stream, "connect")
    expect(badge).to_contain_text("7")


def test_the_list_shows_the_last_message_in_the_readers_language(page, emulator):
    open_chat(page, emulator, "sarah,marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")

    def row(phone, name):
        return phone.locator(".conversations").get_by_role("button", name=name)

    row(sarah, "Marco").click()
    write(sarah, "See you tomorrow!")
    expect(row(marco, "Sarah").locator(".last")).to_have_text("A domani!")
    # What somebody wrote isn't translated in their own list.
    sarah.get_by_role("button", name="All conversations").click()
    expect(row(sarah, "Marco").locator(".last")).to_have_text("See you tomorrow!")

    # An inbox keeps the last message by others, which is no longer the conversation's last.
    row(marco, "Sarah").click()
    write(marco, "Buongiorno!")
    expect(row(sarah, "Marco").locator(".last")).to_have_text("Good morning!")
    marco.get_by_role("button", name="All conversations").click()
    expect(row(marco, "Sarah").locator(".last")).to_have_text("Buongiorno!")
    emulator.quiet()
    assert emulator.get("users/marco/inbox/sarah-marco")["lastMessage"] == string("A domani!")

    id = emulator.get("conversations/sarah-marco")["lastMessageId"]
    others = [
        {"lastMessage": {"integerValue": "1"}, "lastMessageId": id},
        {"lastMessage": string("Good morning!"), "lastMessageId": string("other")},
        {"lastMessage": string("Good morning!"), "lastMessageId": {"integerValue": "1"}},
    ]
    for unread, inbox in enumerate(others, 41):
        emulator.write("users/sarah/inbox/sarah-marco", inbox | {"unread": {"integerValue": str(unread)}})
        expect(row(sarah, "Marco").locator(".unread")).to_contain_text(str(unread))
        expect(row(sarah, "Marco").locator(".last")).to_have_text("Buongiorno!")


def test_in_a_group_everybody_reads_their_own_language(page, emulator):
    page.add_init_script(KEEP_BANNERS)
    open_chat(page, emulator, "sarah:trip,marco:trip,lea")
    sarah, marco, lea = phone(page, "Sarah"), phone(page, "Marco"), phone(page, "Léa")
    write(marco, "Buongiorno!")
    expect(message(sarah, "Buongiorno!").get_by_text("Good morning!")).to_be_visible()
    expect(own(marco, "Buongiorno!").get_by_text("Read by 1 of 3")).to_be_visible()
    expect(lea.get_by_role("button", name="Trip to Rome Marco: Bonjour !")).to_be_visible()
    lea.locator(".conversations").get_by_role("button", name="Trip to Rome").click()
    expect(message(lea, "Buongiorno!").get_by_text("Bonjour !")).to_be_visible()
    expect(own(marco, "Buongiorno!").get_by_text("Read by 2 of 3")).to_be_visible()
    emulator.quiet()
    inbox = emulator.request("GET", "functions", "/providers/fcm/inbox")["messages"]
    rung = [push["token"] for push in inbox if "Bon" in push["message"].get("notification", {}).get("body", "")]
    assert "marco-phone" not in rung


def test_fifty_unread_messages_are_read_in_one_commit_and_each_change_is_shown_once(page, emulator):
    put_conversation(emulator, "many", "sarah", "marco")
    put_messages(emulator, "many", 50)
    open_chat(page, emulator, "sarah:many,marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(sarah.locator(".message")).to_have_count(50)
    emulator.quiet()
    # From now on only the read receipts change.
    page.evaluate("""async () => {
      const { listen } = await import("/assets/lib/listeners.js");
      const { Firestore } = await import("/assets/lib/firestore.js");
      window.receipts = {};
      const seen = new Map();
      const parent = await new Firestore().name("conversations/many");
      const query = { parent, structuredQuery: { from: [{ collectionId: "messages" }] } };
      let tell;
      window.all = new Promise((done) => { tell = done; });
      await new Promise((listening) => listen({ query }, ({ documents, changed }) => {
        for (const name of changed) {
          const readBy = JSON.stringify(documents.get(name).fields.readBy);
          if (seen.has(name) && seen.get(name) !== readBy) receipts[name] = (receipts[name] ?? 0) + 1;
          seen.set(name, readBy);
        }
        if (Object.keys(receipts).length === 50) tell();
        listening();
      }));
    }""")
    # The row's time may contain 50, too.
    unread = page.locator(".unread", has_text="50")
    marco.get_by_role("button", name="Sarah").filter(has=unread).click()
    expect(marco.locator(".message")).to_have_count(50)
    expect(sarah.locator(".message .status.read")).to_have_count(50)
    emulator.quiet()
    page.evaluate("() => all")
    assert set(page.evaluate("Object.values(receipts)")) == {1}
    stored = documents(emulator, "conversations/many/messages").values()
    assert len({one["updateTime"] for one in stored}) == 1
    expect(marco.locator(".badge")).to_contain_text("3")


def go_offline(phone):
    phone.get_by_role("switch", name="Online").uncheck()
    expect(phone.get_by_role("switch", name="Offline")).not_to_be_checked()


def test_messages_written_offline_are_sent_in_one_commit_in_their_order(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(message(sarah, HELLO)).to_be_visible()
    before = documents(emulator, "conversations/sarah-marco/messages").keys()
    go_offline(sarah)
    lines = ["One", "Two", "Three", "Four", "Five"]
    for line in lines:
        write(sarah, line)
        expect(own(sarah, line).get_by_text("Waiting")).to_be_visible()
    # An offline phone doesn't receive messages, either.
    write(marco, "Ci sei?")
    expect(own(marco, "Ci sei?").get_by_text("Sent")).to_be_visible()
    expect(message(sarah, "Ci sei?")).to_have_count(0)

    commits = []
    page.on("request", lambda request: commits.append(request) if request.url.endswith("documents:commit") else None)
    sarah.get_by_role("switch", name="Offline").check()
    for line in lines:
        expect(own(sarah, line).get_by_text("Read")).to_be_visible()
    assert texts(marco)[-5:] == lines
    assert texts(sarah)[-6:] == ["Ci sei?", *lines]
    new = {
        id: one for id, one in documents(emulator, "conversations/sarah-marco/messages").items()
        if one["fields"]["senderId"] == string("sarah") and id not in before
    }
    assert len(new) == 5
    assert len({one["createTime"] for one in new.values()}) == 1
    creating = [one for one in commits if "clientTimestamp" in (one.post_data or "")]
    assert len(creating) == 1
    assert set(new) == {
        write["update"]["name"].rsplit("/", 1)[1] for write in json.loads(creating[0].post_data)["writes"]
        if "clientTimestamp" in write["update"]["fields"]
    }


def test_what_needs_the_network_is_refused_offline(page, emulator):
    open_chat(page, emulator, "sarah:trip")
    sarah = phone(page, "Sarah")
    expect(sarah.locator(".message").first).to_be_visible()
    before = emulator.get("users/sarah")["primaryLanguage"], emulator.get("conversations/trip")
    go_offline(sarah)
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    sarah.get_by_role("button", name="Ask AI").click()
    sarah.get_by_label("Question about this conversation").fill("Who comes?")
    sarah.get_by_role("button", name="Ask", exact=True).click()
    expect(sarah.get_by_role("alert")).to_have_text("This phone is offline.")

    sarah.get_by_role("button", name="Details").click()
    details = page.get_by_role("dialog", name="Trip to Rome")
    refused = details.get_by_text("This phone is offline.").filter(visible=True)
    details.get_by_label("Your language").select_option("Spanish")
    expect(refused).to_have_count(1)
    expect(details.get_by_label("Your language")).to_have_value("en")
    details.get_by_role("button", name="Leave the group").click()
    details.get_by_role("button", name="Remove").first.click()
    expect(refused).to_have_count(1)
    details.get_by_role("button", name="Close").click()

    sarah.get_by_role("button", name="All conversations").click()
    sarah.get_by_role("button", name="New chat").click()
    dialog = page.get_by_role("dialog", name="New chat")
    dialog.get_by_label("Léa").check()
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_have_text("This phone is offline.")
    emulator.quiet()
    assert (emulator.get("users/sarah")["primaryLanguage"], emulator.get("conversations/trip")) == before
    assert [url for url in asked if "/documents" in url or "/us-central1/" in url] == []


def test_waiting_messages_survive_a_reload(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco:offline,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    write(sarah, "Still here?")
    expect(own(sarah, "Still here?").get_by_text("Waiting")).to_be_visible()
    page.reload()
    expect(own(sarah, "Still here?").get_by_text("Waiting")).to_be_visible()
    expect(message(marco, HELLO)).to_be_visible()
    expect(message(marco, "Still here?")).to_have_count(0)
    sarah.get_by_role("switch", name="Offline").check()
    expect(own(sarah, "Still here?").get_by_text("Read")).to_be_visible()
    page.reload()
    expect(message(marco, "Still here?")).to_have_count(1)
    expect(own(sarah, "Still here?").get_by_text("Read")).to_be_visible()


def test_removing_a_phone_with_unsent_messages_needs_confirmation(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco:offline,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    for text in ["One", "Two"]:
        write(sarah, text)
    choose_in_menu(sarah, "Remove this phone")
    dialog = page.get_by_role("dialog", name="Remove this phone?")
    expect(dialog).to_contain_text("aren't sent yet: 2.")
    dialog.get_by_role("button", name="Close").click()
    expect(own(sarah, "Two").get_by_text("Waiting")).to_be_visible()

    choose_in_menu(sarah, "Remove this phone")
    dialog.get_by_role("button", name="Remove this phone").click()
    expect(sarah).to_have_count(0)
    page.get_by_role("button", name="Add a phone").click()
    page.get_by_role("region", name="Phone", exact=True).get_by_label("Who uses").select_option("Sarah")
    expect(message(marco, "One")).to_be_visible()
    expect(message(marco, "Two")).to_be_visible()
    # Nothing is unsent, so no confirmation is needed.
    expect(sarah.get_by_role("button", name="Marco")).to_contain_text("Two")
    sarah.get_by_role("button", name="Marco").click()
    expect(own(sarah, "Two").get_by_text("Read")).to_be_visible()
    choose_in_menu(sarah, "Remove this phone")
    expect(sarah).to_have_count(0)


def test_two_tabs_with_one_phone_lose_nothing_and_send_nothing_twice(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco:offline")
    other = context.new_page()
    open_chat(other, emulator, "sarah:sarah-marco:offline")
    for tab, text in [(page, "One"), (other, "Two"), (page, "Three")]:
        write(phone(tab, "Sarah"), text)
        expect(own(phone(tab, "Sarah"), text).get_by_text("Waiting")).to_be_visible()
    for tab in (page, other):
        tab.reload()
        expect(phone(tab, "Sarah").get_by_text("Waiting")).to_have_count(3)
        assert texts(phone(tab, "Sarah"))[-3:] == ["One", "Two", "Three"]

    phone(page, "Sarah").get_by_role("switch", name="Offline").check()
    expect(own(phone(page, "Sarah"), "Three").get_by_text("Sent")).to_be_visible()
    expect(phone(other, "Sarah").get_by_text("Waiting")).to_have_count(0)
    other.reload()
    phone(other, "Sarah").get_by_role("switch", name="Offline").check()
    expect(own(phone(other, "Sarah"), "Three").get_by_text("Sent")).to_be_visible()
    assert texts(phone(other, "Sarah"))[-3:] == ["One", "Two", "Three"]


def test_an_idiom_has_a_hint_in_the_readers_language(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    write(sarah, "Break a leg at your exam tomorrow!")
    idiom = message(marco, "Break a leg at your exam tomorrow!")
    idiom.get_by_role("button", name="What does this mean?").click()
    hint = page.get_by_role("dialog", name="What does this mean?")
    expect(hint).to_contain_text("Break a leg")
    expect(hint).to_contain_text("In bocca al lupo")
    page.keyboard.press("Escape")
    expect(hint).to_have_count(0)
    expect(idiom.get_by_role("button", name="What does this mean?")).to_be_focused()
    expect(sarah.get_by_role("button", name="What does this mean?")).to_have_count(0)


def test_a_groups_reader_has_the_hint_of_readers_of_any_variant(page, emulator):
    emulator.write("users/marco", emulator.get("users/marco") | {"primaryLanguage": string("it-CH")})
    open_chat(page, emulator, "sarah:trip,marco:trip")
    write(phone(page, "Sarah"), "Break a leg at your exam tomorrow!")
    idiom = message(phone(page, "Marco"), "Break a leg at your exam tomorrow!")
    idiom.get_by_role("button", name="What does this mean?").click()
    expect(page.get_by_role("dialog", name="What does this mean?")).to_contain_text("In bocca al lupo")
    assert {name.split("_")[-1] for name in documents(emulator, "aiAnalysis")} >= {"it"}


def test_a_reader_chooses_the_original_or_a_translation_on_demand(page, emulator):
    profile = emulator.get("users/marco")
    emulator.write("users/marco", profile | {"translationMode": string("onDemand")})
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    write(phone(page, "Sarah"), "Happy birthday!")
    original = message(phone(page, "Marco"), "Happy birthday!")
    translate = original.get_by_role("button", name="Translate", exact=True)
    translation = original.get_by_text("Buon compleanno!")
    expect(translate).to_be_visible()
    emulator.quiet()
    expect(translation).to_have_count(0)
    translate.click()
    expect(translation).to_be_visible()
    expect(translate).to_have_count(0)
    english = {"secondaryLanguages": {"arrayValue": {"values": [string("en-GB")]}}}
    for choice in [{"translationMode": string("never")}, english]:
        emulator.write("users/marco", profile | choice)
        expect(translation).to_be_hidden()
        expect(translate).to_have_count(0)
        emulator.write("users/marco", profile)
        expect(translation).to_be_visible()


def test_a_suggested_reply_is_sent_with_one_tap(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    marco.get_by_role("button", name="Suggest replies").click()
    pills = marco.get_by_role("group", name="Suggested replies").locator(".pill")
    expect(pills).to_have_count(3)
    reply = pills.first.inner_text()
    pills.first.click()
    expect(own(marco, reply).get_by_text("Read")).to_be_visible()
    expect(message(sarah, reply).locator(".translation")).to_be_visible()
    expect(pills).to_have_count(0)


def test_replies_without_a_model_are_marked_as_fallback(page, emulator):
    open_chat(page, emulator, "marco:sarah-marco")
    emulator.request(
        "POST", "functions", "/providers/faults", {"provider": "openai", "kind": "status", "status": 503, "times": 20}
    )
    # A new text, because replies to the demo's messages are cached.
    write(phone(page, "Marco"), "Grazie!")
    expect(own(phone(page, "Marco"), "Grazie!").get_by_text("Sent")).to_be_visible()
    emulator.quiet()
    phone(page, "Marco").get_by_role("button", name="Suggest replies").click()
    group = phone(page, "Marco").get_by_role("group", name="Suggested replies")
    expect(group).to_contain_text("fallback")
    expect(group.locator(".pill")).to_have_count(3)


def test_an_answer_links_to_the_message_it_is_based_on(page, emulator):
    put_messages(emulator, "sarah-marco", 60, reader="marco")
    open_chat(page, emulator, "marco:sarah-marco")
    marco = phone(page, "Marco")
    marco.get_by_role("button", name="Ask AI").click()
    marco.get_by_label("Question about this conversation").fill("Quando ci vediamo per un caffè?")
    marco.get_by_role("button", name="Ask", exact=True).click()
    expect(marco.get_by_role("region", name="Ask AI")).to_contain_text("Sarah ha scritto")
    expect(marco.get_by_role("region", name="Ask AI")).to_contain_text("emulator-rules")
    marco.get_by_role("list", name="Source messages").get_by_role("button").first.click()
    expect(message(marco, HELLO).and_(marco.locator(".found"))).to_be_in_viewport()


def test_an_answer_links_to_its_message_once_that_has_arrived(context, page, emulator):
    context.add_init_script(HELD_SNAPSHOTS)
    open_chat(page, emulator, "marco:sarah-marco")
    page.get_by_role("button", name="Ask AI").click()
    page.get_by_label("Question about this conversation").fill("Quando ci vediamo per un caffè?")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("list", name="Source messages").get_by_role("button").first.click()
    page.evaluate("new Promise(requestAnimationFrame)")
    page.evaluate("tell()")
    marco = phone(page, "Marco")
    expect(message(marco, HELLO).and_(marco.locator(".found"))).to_be_in_viewport()


def test_an_outage_of_the_model_is_shown_and_the_question_can_be_repeated(context, page, emulator):
    open_chat(page, emulator, "marco:sarah-marco")
    faults = {"provider": "openai", "kind": "status", "status": 503, "times": 50}
    emulator.request("POST", "functions", "/providers/faults", faults)
    marco = phone(page, "Marco")
    marco.get_by_role("button", name="Ask AI").click()
    marco.get_by_label("Question about this conversation").fill("Quando ci vediamo per un caffè?")
    marco.get_by_role("button", name="Ask", exact=True).click()
    expect(marco.get_by_role("alert")).to_contain_text("AI temporarily unavailable")
    emulator.request("DELETE", "functions", "/providers/faults")
    # The circuit breaker may still refuse calls after many failures, so several taps may be needed.
    answer = marco.locator(".answer-text")
    again = marco.get_by_role("button", name="Ask again")
    while True:
        again.click()
        expect(answer.filter(has_text="Sarah ha scritto").or_(again)).to_be_visible()
        if not again.is_visible():
            break
    context.problems.clear()


def test_a_user_outside_the_conversation_is_refused(context, page, emulator):
    open_chat(page, emulator, "marco:sarah-marco")
    for name, data in [("smartReplies", {}), ("askAI", {"query": "When do they meet?"})]:
        code = page.evaluate("""async ([name, data]) => {
          const { call } = await import("/assets/lib/firestore.js");
          const { UnsignedUser } = await import("/assets/lib/user.js");
          try {
            return await call(name, { conversationId: "sarah-marco", ...data }, new UnsignedUser("lea"));
          } catch (error) {
            return error.code;
          }
        }""", [name, data])
        assert code == "PERMISSION_DENIED"
    page.goto("/chat?phones=lea:sarah-marco")
    lea = phone(page, "Léa")
    expect(lea.get_by_text("This conversation doesn't exist, or this user isn't in it.")).to_be_visible()
    expect(lea.locator(".message")).to_have_count(0)
    lea.get_by_role("button", name="All conversations").click()
    expect(lea.get_by_role("button", name="Trip to Rome")).to_be_visible()
    # Chromium logs the two refusals.
    assert len(context.problems) == 2
    context.problems.clear()


def test_older_messages_are_loaded_page_by_page(page, emulator):
    put_conversation(emulator, "long", "sarah", "marco")
    put_messages(emulator, "long", 120, reader="marco")
    open_chat(page, emulator, "marco:long")
    marco = phone(page, "Marco")
    rows = marco.locator(".message")
    expect(rows).to_have_count(50)
    expect(message(marco, "Message 120")).to_be_in_viewport()
    expect(rows.first).to_contain_text("Message 71")
    scroller = marco.get_by_role("log")
    scroller.evaluate("(element) => (element.scrollTop = 0)")
    expect(rows).to_have_count(100)
    expect(rows.first).to_contain_text("Message 21")
    # The message that was visible stays visible.
    expect(message(marco, "Message 71")).to_be_in_viewport()
    scroller.evaluate("(element) => (element.scrollTop = 0)")
    expect(rows).to_have_count(120)
    expect(rows.first).to_contain_text("Message 1")


def test_a_new_message_does_not_move_others(page, emulator):
    put_conversation(emulator, "long", "sarah", "marco")
    put_messages(emulator, "long", 60, reader="marco")
    open_chat(page, emulator, "marco:long")
    marco = phone(page, "Marco")
    expect(marco.locator(".message")).to_have_count(50)
    marco.locator(".messages").evaluate("""(list) => {
      window.moved = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes, removedNodes } of changes) moved += addedNodes.length + removedNodes.length;
      }).observe(list, { childList: true });
    }""")
    # The oldest message is removed, so that there are fifty again.
    write(marco, "Grazie!")
    expect(own(marco, "Grazie!").get_by_text("Sent")).to_be_visible()
    expect(message(marco, "Message 11")).to_have_count(0)
    expect(marco.locator(".message")).to_have_count(50)
    expect(message(marco, "Message 60")).to_be_in_viewport()
    assert page.evaluate("moved") == 2


def edit(phone, old, new):
    own(phone, old).get_by_role("button", name="Edit or delete this message").click()
    phone.page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    phone.get_by_role("textbox", name="Message").fill(new)
    phone.get_by_role("button", name="Save").click()


def test_the_later_of_two_edits_wins_and_is_translated(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,sarah:sarah-marco,marco:sarah-marco")
    first, second = phone(page, "Sarah").nth(0), phone(page, "Sarah").nth(1)
    marco = phone(page, "Marco")
    edit(first, HELLO, "Good morning!")
    expect(own(second, "Good morning!")).to_be_visible()
    # Both edits start from the same text, and the second one is saved later.
    for one in (first, second):
        own(one, "Good morning!").get_by_role("button", name="Edit or delete this message").click()
        page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    first.get_by_role("textbox", name="Message").fill("Thank you!")
    first.get_by_role("button", name="Save").click()
    expect(own(second, "Thank you!")).to_be_visible()
    second.get_by_role("textbox", name="Message").fill("Good night!")
    second.get_by_role("button", name="Save").click()
    expect(own(first, "Good night!")).to_be_visible()
    expect(message(marco, "Good night!").get_by_text("Buonanotte!")).to_be_visible()
    expect(message(marco, "Thank you!")).to_have_count(0)


def test_a_draft_is_kept(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,sarah")
    sarah, other = phone(page, "Sarah").nth(0), phone(page, "Sarah").nth(1)
    box = sarah.get_by_role("textbox", name="Message")
    box.fill("Shall we")
    sarah.get_by_role("button", name="All conversations").click()
    sarah.get_by_role("button", name="Marco").click()
    expect(box).to_have_value("Shall we")
    page.reload()
    expect(box).to_have_value("Shall we")

    own(sarah, HELLO).get_by_role("button", name="Edit or delete this message").click()
    page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    box.fill("meet for tea?")
    other.get_by_role("button", name="Marco").click()
    own(other, HELLO).get_by_role("button", name="Edit or delete this message").click()
    # A request without a response before the page is left is repeated, and then refused.
    with page.expect_event("requestfinished", lambda request: '"delete"' in (request.post_data or "")):
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(sarah.get_by_text("The message was deleted")).to_be_visible()
    expect(box).to_have_value("Shall we\nmeet for tea?")
    with page.expect_event("requestfinished", lambda request: "meet for tea?" in (request.post_data or "")):
        sarah.get_by_role("button", name="Send").click()
    expect(sarah.get_by_text("meet for tea?")).to_be_visible()
    page.reload()
    expect(own(sarah, "Break a leg at your interview tomorrow!")).to_be_visible()
    expect(box).to_have_value("")


def test_a_message_can_be_deleted(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(message(marco, HELLO)).to_be_visible()
    own(sarah, HELLO).get_by_role("button", name="Edit or delete this message").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Delete").press("Enter")
    expect(message(sarah, HELLO)).to_have_count(0)
    expect(sarah.get_by_role("textbox", name="Message")).to_be_focused()
    expect(message(marco, HELLO)).to_have_count(0)
    emulator.quiet()
    assert "hello" not in documents(emulator, "conversations/sarah-marco/messages")


def test_a_failed_translation_can_be_repeated(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    faults = {"provider": "translation", "kind": "status", "status": 400, "times": 20}
    emulator.request("POST", "functions", "/providers/faults", faults)
    write(phone(page, "Sarah"), "Happy birthday!")
    original = message(phone(page, "Marco"), "Happy birthday!")
    retry = original.get_by_role("button", name="Translate again")
    expect(retry).to_be_visible()
    expect(original.get_by_text("Happy birthday!")).to_be_visible()
    emulator.quiet()
    retry.click()
    error = original.locator(".translation-error")
    expect(error).not_to_be_empty()
    emulator.request("DELETE", "functions", "/providers/faults")
    for name in documents(emulator, "translationFailures"):
        emulator.request("DELETE", "firestore", f"{emulator.documents}/translationFailures/{name}")
    retry.click()
    expect(original.get_by_text("Buon compleanno!")).to_be_visible()
    expect(retry).to_have_count(0)
    expect(error).to_have_count(0)
    context.problems.clear()


def test_a_new_user_joins_and_leaves(page, emulator):
    open_chat(page, emulator, "sarah:trip,marco")
    sarah = phone(page, "Sarah")
    page.get_by_role("button", name="Add a phone").click()
    ana = sign_up(page, "Ana <b>", "Spanish", email="ana@example.com")
    expect(ana.get_by_text("No conversations yet")).to_be_visible()

    sarah.get_by_role("button", name="Details").click()
    details = page.get_by_role("dialog", name="Trip to Rome")
    details.get_by_role("combobox", name="Add").select_option("Ana <b>")
    details.get_by_role("button", name="Add member").click()
    expect(details.get_by_role("listitem").filter(has_text="Ana <b>")).to_be_visible()
    details.get_by_role("button", name="Close").click()
    ana.get_by_role("button", name="Trip to Rome").click()
    write(sarah, "Good morning!")
    expect(message(ana, "Good morning!").get_by_text("¡Buenos días!")).to_be_visible()
    # Messages from before Ana joined are hidden from her.
    expect(message(ana, "Thank you so much!")).to_have_count(0)
    expect(message(sarah, "Thank you so much!")).to_be_visible()

    ana.get_by_role("button", name="Details").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the group").click()
    expect(ana.get_by_text("No conversations yet")).to_be_visible()

    ana.get_by_role("button", name="New chat").click()
    dialog = page.get_by_role("dialog", name="New chat")
    dialog.get_by_label("Marco").check()
    dialog.get_by_role("button", name="Start").click()
    write(ana, "¡Buenos días!")
    expect(phone(page, "Marco").get_by_role("button", name="Ana <b> Buongiorno!")).to_be_visible()


def test_a_late_response_to_new_chat_does_not_leave_another_page(page, emulator):
    open_chat(page, emulator, "lea")
    phone(page, "Léa").get_by_role("button", name="New chat").click()
    dialog = page.get_by_role("dialog", name="New chat")
    dialog.get_by_label("Marco").check()
    held = []

    def hold(route):
        if "participantLanguages" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/documents:commit", hold)
    with page.expect_request(lambda request: "participantLanguages" in (request.post_data or "")):
        dialog.get_by_role("button", name="Start").click()
    page.keyboard.press("Escape")
    page.get_by_role("navigation").get_by_role("link", name="Status").click()
    expect(page.get_by_role("row", name="Documents")).to_be_visible()
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("() => fetch('/api/status').then((answer) => answer.text())")
    assert page.url == emulator.url("ui", "/status")


HOSTILE = [
    "<script>document.title='mine'</script><img src=x onerror=alert(1)>",
    "abc \u202e txt.exe \u2066 \u200f!",
    "مرحبا، كيف حالك؟",
    "👩‍👩‍👧‍👦🏳️‍🌈 Z̸̢a̷l̶g̵o̴",
    "x" * 5000,
]


def test_hostile_texts_are_shown_as_text(page, emulator):
    put_conversation(emulator, "hostile", "sarah", "marco")
    emulator.write("users/sarah", {"displayName": string(f"{HOSTILE[0]}\u202e"), "primaryLanguage": string("en")})
    for text in HOSTILE[:4]:
        root = f"{emulator.documents}/conversations/hostile/messages"
        fields = {
            "senderId": string("sarah"), "text": string(text),
            "timestamp": {"timestampValue": "2026-01-01T10:00:00Z"},
        }
        emulator.request("POST", "firestore", root, {"fields": fields})
    open_chat(page, emulator, "marco:hostile")
    marco = phone(page, "Marco")
    for text in HOSTILE[:4]:
        expect(marco.locator(".text").filter(has_text=text)).to_be_visible()
    assert page.title() == "Chat – WorldChat emulator"
    expect(page.locator("main script, .text img")).to_have_count(0)
    arabic = marco.locator(".text").filter(has_text=HOSTILE[2])
    assert arabic.evaluate("(element) => getComputedStyle(element).direction") == "rtl"


def test_a_text_of_a_megabyte_is_folded_and_a_larger_one_is_refused(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(message(sarah, HELLO)).to_be_visible()
    # The text is set in a single step, because laying it out in a text area takes seconds.
    paste = """(element, text) => {
      element.value = text;
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    }"""
    box = sarah.get_by_role("textbox", name="Message")
    long = "long " * 209_000
    box.evaluate(paste, long)
    folded = marco.locator(".message").last
    more = folded.get_by_role("button", name="Show more of 1,045,000 characters")
    expect(more).to_be_visible()
    expect(folded.get_by_text("Too long to be translated")).to_be_visible()
    assert len(folded.locator(".text").text_content()) < 2_000
    more.click()
    assert 9_000 < len(folded.locator(".text").text_content()) < 30_000

    box.evaluate(paste, long + long)
    expect(sarah.get_by_text("Not sent")).to_be_visible()
    # Other messages aren't blocked.
    write(sarah, "See you tomorrow!")
    expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    sarah.get_by_role("button", name="Discard").click()
    expect(sarah.get_by_text("Not sent")).to_have_count(0)
    context.problems.clear()


def test_in_other_projects_only_people_with_an_account_can_use_a_phone(chromium, tmp_path):
    emulator = Emulator(tmp_path, "--project", "other")
    try:
        page = chromium.new_page(base_url=emulator.url("ui"))
        page.goto("/chat?phones=sarah:sarah-marco,nobody")
        sarah = phone(page, "Sarah")
        expect(message(sarah, HELLO)).to_be_visible()
        write(sarah, "See you tomorrow!")
        expect(own(sarah, "See you tomorrow!").get_by_text("Sent")).to_be_visible()
        why = "nobody has no account: use a project that begins with demo-, or sign up."
        expect(page.get_by_role("region", name="Phone", exact=True).get_by_role("alert")).to_have_text(why)
        page.close()
    finally:
        emulator.stop()


def test_a_text_of_many_lines_is_folded(page, emulator):
    put_conversation(emulator, "lines", "sarah", "marco")
    put_messages(emulator, "lines", 1, reader="marco", text="\n".join(str(number) for number in range(1, 41)))
    open_chat(page, emulator, "sarah:lines")
    text = phone(page, "Sarah").locator(".message .text")
    more = text.get_by_role("button", name="Show more of 110 characters")
    expect(more).to_be_visible()
    assert text.inner_text().splitlines()[19].startswith("20…")
    more.click()
    assert text.inner_text().splitlines()[39].startswith("40")
    text.get_by_role("button", name="Show less").click()
    expect(more).to_be_visible()


def test_an_unfolded_text_stays_unfolded(page, emulator):
    put_conversation(emulator, "lines", "sarah", "marco")
    put_messages(emulator, "lines", 1, reader="marco", text="\n".join(str(number) for number in range(1, 41)))
    open_chat(page, emulator, "sarah:lines")
    sarah = phone(page, "Sarah")
    text = sarah.locator(".message .text")
    text.get_by_role("button", name="Show more of 110 characters").click()
    emulator.request(
        "PATCH", "firestore",
        f"{emulator.documents}/conversations/lines/messages/old-001?updateMask.fieldPaths=status",
        {"fields": {"status": string("read")}},
    )
    expect(sarah.locator(".message").get_by_text("Read")).to_be_visible()
    expect(text.get_by_role("button", name="Show less")).to_be_visible()


# Passes on each piece of a listener's stream as soon as `hold` lets it.
HELD_STREAM = """(hold) => {
  const original = fetch;
  window.fetch = async (url, options) => {
    const response = await original(url, options);
    if (!String(url).includes("/Listen/channel") || options?.method === "POST") return response;
    const reader = response.body.getReader();
    const held = new ReadableStream({
      async start(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return hold(() => controller.close());
          hold(() => controller.enqueue(value));
        }
      },
    });
    return new Response(held, response);
  };
}"""
# Snapshots arrive much later than any response. The test records every change of the messages.
LATE_SNAPSHOTS = f"({HELD_STREAM})((pass) => setTimeout(pass, 2_500))"
WATCH = """(list) => {
  window.seen = [];
  new MutationObserver(() => window.seen.push(list.innerText)).observe(list,
    { childList: true, subtree: true, characterData: true });
}"""
# Snapshots arrive when tell() is called.
HELD_SNAPSHOTS = f"const told = new Promise((tell) => (window.tell = tell)); ({HELD_STREAM})((pass) => told.then(pass))"


def test_a_sent_message_never_disappears(context, page, emulator):
    context.add_init_script(LATE_SNAPSHOTS)
    open_chat(page, emulator, "sarah:sarah-marco")
    sarah = phone(page, "Sarah")
    expect(message(sarah, HELLO)).to_be_visible()
    sarah.locator(".messages").evaluate(WATCH)
    write(sarah, "See you tomorrow!")
    expect(own(sarah, "See you tomorrow!").get_by_text("Sent")).to_be_visible()
    sent = page.evaluate("window.seen.length")
    expect(own(sarah, "See you tomorrow!").get_by_role("button", name="Edit or delete")).to_be_visible()
    shown = ["See you tomorrow!" in text for text in page.evaluate("window.seen")]
    # The list may have changed before the message was sent: the user's own profile tells the presence.
    assert all(shown[shown.index(True):])
    assert page.evaluate("window.seen.length") > sent > 0

    own(sarah, "See you tomorrow!").get_by_role("button", name="Edit or delete").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(own(sarah, "See you tomorrow!")).to_have_count(0)
    page.evaluate("window.seen = []")
    write(sarah, "Good luck!")
    # The snapshot of this message follows that of the deletion.
    expect(own(sarah, "Good luck!").get_by_role("button", name="Edit or delete")).to_be_visible()
    assert not any("See you tomorrow!" in text for text in page.evaluate("window.seen"))


def test_the_chat_survives_a_restart_of_the_emulator(context, page, emulator, tmp_path):
    emulator.stop()
    emulator.options += ["--data", tmp_path / "data"]
    emulator.start()
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(message(marco, HELLO)).to_be_visible()
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    write(sarah, "See you tomorrow!")
    expect(own(sarah, "See you tomorrow!").get_by_text("Waiting")).to_be_visible()
    emulator.start()
    expect(message(marco, "See you tomorrow!").get_by_text("A domani!")).to_be_visible()
    expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    # Chromium logs the refused connections.
    context.problems.clear()


def test_two_tabs_with_three_phones_each_stay_live(context, page, emulator):
    """All their streams are open at once, more than a browser allows to one host."""
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco,lea")
    other = context.new_page()
    open_chat(other, emulator, "marco:sarah-marco,sarah:sarah-marco,jonas")
    write(phone(page, "Sarah"), "See you tomorrow!")
    expect(message(phone(other, "Marco"), "See you tomorrow!").get_by_text("A domani!")).to_be_visible()
    write(phone(other, "Marco"), "Buonanotte!")
    expect(message(phone(page, "Sarah"), "Buonanotte!").get_by_text("Good night!")).to_be_visible()
    # An offline phone sends once it is online again, and its tab's other phones go on.
    lea = phone(page, "Léa")
    lea.get_by_role("switch").click()
    write(phone(page, "Marco"), "Grazie!")
    expect(message(phone(other, "Sarah"), "Grazie!")).to_be_visible()
    lea.get_by_role("switch").click()
    expect(lea.get_by_role("button", name="Trip to Rome")).to_be_visible()


def test_a_narrow_page_shows_one_phone_at_a_time(page, emulator):
    page.set_viewport_size({"width": 360, "height": 740})
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(sarah).to_be_visible()
    expect(marco).not_to_be_visible()
    write(sarah, "See you tomorrow!")
    # Marco's phone isn't visible.
    expect(own(sarah, "See you tomorrow!").get_by_text("Delivered")).to_be_visible()
    page.get_by_role("group", name="Phones").get_by_role("button", name="Marco").click()
    expect(message(marco, "See you tomorrow!").get_by_text("A domani!")).to_be_visible()
    page.get_by_role("group", name="Phones").get_by_role("button", name="Sarah").click()
    expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page, emulator, scheme):
    page.emulate_media(color_scheme=scheme)
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco,lea")
    marco = phone(page, "Marco")
    expect(marco.get_by_role("button", name="What does this mean?")).to_be_visible()
    expect(phone(page, "Léa").get_by_role("button", name="Trip to Rome")).to_be_visible()
    marco.get_by_role("button", name="Suggest replies").click()
    expect(marco.locator(".pill")).to_have_count(3)
    marco.get_by_role("button", name="Ask AI").click()
    check(page)
    marco.get_by_role("button", name="What does this mean?").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    phone(page, "Sarah").get_by_role("button", name="Details").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page)


def check(page):
    violations = Axe().run(page).response["violations"]
    serious = [one for one in violations if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious] == []


def test_a_database_without_the_demo_starts_with_an_empty_phone(chromium, tmp_path):
    emulator = Emulator(tmp_path, seed=False)
    page = chromium.new_page(base_url=emulator.url("ui"))
    page.goto("/chat")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_role("combobox")).to_have_count(1)
    page.close()
    emulator.stop()


def test_a_message_leads_to_its_trace_and_its_document(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    marco = phone(page, "Marco")
    message(marco, HELLO).get_by_role("link", name="What this message has caused").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("conversations/sarah-marco/messages/hello")
    expect(page.locator("button.line", has_text="translateMessage")).to_have_count(1)
    page.go_back()
    own(phone(page, "Sarah"), HELLO).get_by_role("link", name="This message's document").click()
    expect(page).to_have_url("/data/conversations/sarah-marco/messages/hello")
    page.go_back()
    # A message that isn't sent has no document yet.
    sarah = phone(page, "Sarah")
    go_offline(sarah)
    write(sarah, "See you soon!")
    expect(own(sarah, "See you soon!").get_by_text("Waiting")).to_be_visible()
    expect(own(sarah, "See you soon!").get_by_role("link")).to_have_count(0)


def test_three_phones_are_whole_on_a_page_that_is_too_narrow_for_them(page, emulator):
    page.set_viewport_size({"width": 800, "height": 600})
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco,lea")
    # The first phone begins where the page does, and the others are reached by scrolling.
    assert phone(page, "Sarah").bounding_box()["x"] >= 0
    page.locator(".phones").evaluate("(row) => { row.scrollLeft = row.scrollWidth; }")
    box = phone(page, "Léa").bounding_box()
    assert box["x"] + box["width"] <= 800
    # What a conversation's head says isn't cut.
    assert phone(page, "Sarah").locator(".title").evaluate(
        "(title) => [...title.children].every((line) => line.scrollWidth <= line.clientWidth)")


def test_no_scrollbar_reaches_into_the_round_corners_of_a_phone(page, emulator):
    page.set_viewport_size({"width": 1280, "height": 480})
    page.goto("/chat?phones=,sarah")
    for screen in [page.locator(".sign-in"), page.locator(".list")]:
        expect(screen).to_be_visible()
        room = screen.evaluate("""(screen) => {
            const phone = screen.closest(".phone");
            const radius = Number.parseFloat(getComputedStyle(phone).borderEndEndRadius);
            return phone.getBoundingClientRect().bottom - screen.getBoundingClientRect().bottom - radius;
        }""")
        assert room >= 0
