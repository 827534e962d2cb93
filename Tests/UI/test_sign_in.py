"""Sign-in, sign-up and sessions on the phones of the Chat page."""

import base64
import json

import pytest
from playwright.sync_api import expect
from test_chat import (
    HELLO, check, choose_in_menu, fill_form, go_offline, message, open_chat, own, phone, put_conversation, sign_up,
    string, write,
)

ACCOUNTS = "/identitytoolkit.googleapis.com/v1/projects/demo-worldchat/accounts"
EMULATOR = "/emulator/v1/projects/demo-worldchat"


def empty(page):
    return page.get_by_role("region", name="Phone", exact=True)


def sign_in(phone, email, password):
    fill_form(phone, Email=email, Password=password)
    phone.get_by_role("button", name="Sign in", exact=True).click()


def add_account(emulator, uid, password="secret1", name=None):
    """Creates an account, and a profile if there is a name. Returns the email address."""
    email = f"{uid}@example.com"
    emulator.request("POST", "auth", ACCOUNTS, {"localId": uid, "email": email, "password": password})
    if name:
        emulator.write(f"users/{uid}", {"displayName": string(name), "primaryLanguage": string("es")})
    return email


def account_of(emulator, email):
    return emulator.request("POST", "auth", f"{ACCOUNTS}:lookup", {"email": [email]})["users"][0]


def update_account(emulator, uid, **changes):
    emulator.request("POST", "auth", f"{ACCOUNTS}:update", {"localId": uid, **changes})


def delete_account(emulator, uid):
    emulator.request("POST", "auth", f"{ACCOUNTS}:delete", {"localId": uid})


def expire_tokens(emulator):
    emulator.request("POST", "auth", f"{EMULATOR}/idTokens:expire")


def claims_of(request):
    """Returns the claims of the ID token that a request carries."""
    part = request.headers["authorization"].removeprefix("Bearer ").split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def writes(text):
    """Returns a predicate for commits that contain a text."""
    return lambda request: request.url.endswith(":commit") and text in (request.post_data or "")


def is_renewal(request):
    return "securetoken" in request.url


def test_a_new_user_signs_up_and_reads_messages_in_the_own_language(page, emulator):
    page.goto("/chat?phones=sarah:trip,")
    with page.expect_request(writes('"Ana"')) as request:
        ana = sign_up(page, "Ana", "Spanish")
    expect(ana.get_by_text("No conversations yet")).to_be_visible()
    account = account_of(emulator, "ana@example.com")
    uid = account["localId"]
    assert account["displayName"] == "Ana"
    profile = emulator.get(f"users/{uid}")
    assert (profile["email"], profile["displayName"]) == (string("ana@example.com"), string("Ana"))
    assert profile["primaryLanguage"] == string("es")
    assert "createdAt" in profile
    assert emulator.get(f"users/{uid}/devices/phone")["fcmToken"] == string(f"{uid}-phone")
    # The user's own ID token wrote the profile.
    assert claims_of(request.value)["user_id"] == uid

    put_conversation(emulator, "ana-sarah", uid, "sarah")
    sarah = phone(page, "Sarah")
    sarah.get_by_role("button", name="All conversations").click()
    sarah.locator(".conversations").get_by_role("button", name="Ana").click()
    ana.locator(".conversations").get_by_role("button", name="Sarah").click()
    write(sarah, "Good morning!")
    expect(message(ana, "Good morning!").get_by_text("¡Buenos días!")).to_be_visible()
    expect(own(sarah, "Good morning!").get_by_text("Read")).to_be_visible()


def test_an_account_without_a_profile_gets_one_after_the_sign_in(page, emulator):
    email = add_account(emulator, "ana")
    page.goto("/chat?phones=")
    sign_in(empty(page), email, "secret1")
    empty(page).get_by_label("Name").fill("Ana")
    empty(page).get_by_label("Language").select_option("Spanish")
    empty(page).get_by_role("button", name="Get started").click()
    expect(phone(page, "Ana").get_by_text("No conversations yet")).to_be_visible()
    assert emulator.get("users/ana")["email"] == string(email)


PROBLEMS = [
    ("ana@example.com", "wrong one", "The password is wrong."),
    ("nobody@example.com", "secret1", "There is no account with this email address."),
    ("ana", "secret1", "This isn't a valid email address."),
    ("ana@example.com", "", "Enter a password."),
    ("off@example.com", "secret1", "The account is disabled."),
]


def test_a_sign_in_that_fails_says_why(context, page, emulator):
    add_account(emulator, "ana", name="Ana")
    add_account(emulator, "off")
    update_account(emulator, "off", disableUser=True)
    page.goto("/chat?phones=")
    problem = empty(page).locator("form").get_by_role("alert").filter(visible=True)
    for email, password, why in PROBLEMS:
        sign_in(empty(page), email, password)
        expect(problem).to_have_text(why)
    config = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
    emulator.request("PATCH", "auth", f"{EMULATOR}/config", config)
    sign_in(empty(page), "ana@example.com", "wrong one")
    expect(problem).to_have_text("The email address or the password is wrong.")
    sign_in(empty(page), "ana@example.com", "secret1")
    expect(phone(page, "Ana").get_by_text("No conversations yet")).to_be_visible()
    # Chromium logs the refusals.
    context.problems.clear()


def test_a_sign_up_that_fails_says_why(context, page, emulator):
    page.goto("/chat?phones=")
    empty(page).get_by_role("button", name="New here? Sign up").click()
    problem = empty(page).locator("form").get_by_role("alert").filter(visible=True)
    for name, email, password, why in [
        ("", "ana@example.com", "secret1", "Enter a name."),
        ("Ana", "ana", "secret1", "This isn't a valid email address."),
        ("Ana", "ana@example.com", "", "Enter a password."),
        ("Ana", "ana@example.com", "short", "The password is too short: it needs at least 6 characters."),
        ("Ana", "sarah@example.com", "secret1", "There is already an account with this email address."),
    ]:
        fill_form(empty(page), Name=name, Email=email, Password=password)
        empty(page).get_by_role("button", name="Sign up").click()
        expect(problem).to_have_text(why)
    # What was entered is still there.
    empty(page).get_by_role("button", name="I have an account: sign in").click()
    sign_in(empty(page), "sarah@example.com", "worldchat")
    expect(phone(page, "Sarah").get_by_role("button", name="Marco")).to_be_visible()
    context.problems.clear()


def test_a_phone_that_is_offline_cannot_sign_in(page, emulator):
    page.goto("/chat?phones=::offline")
    sign_in(empty(page), "sarah@example.com", "worldchat")
    expect(empty(page).get_by_text("This phone is offline.")).to_be_visible()
    empty(page).get_by_role("switch", name="Offline").check()
    empty(page).get_by_role("button", name="Sign in", exact=True).click()
    expect(phone(page, "Sarah").get_by_role("button", name="Marco")).to_be_visible()


def test_a_forgotten_password_is_replaced(page, emulator):
    email = add_account(emulator, "ana", name="Ana")
    page.goto("/chat?phones=")
    fill_form(empty(page), Email=email)
    empty(page).get_by_role("button", name="Forgot password?").click()
    expect(empty(page).get_by_role("status")).to_contain_text("the page Authentication has the link")
    link = empty(page).get_by_role("link", name="Authentication")
    expect(link).to_have_attribute("href", "/authentication")
    code = emulator.request("GET", "auth", f"{EMULATOR}/oobCodes")["oobCodes"][0]
    assert (code["email"], code["requestType"]) == (email, "PASSWORD_RESET")
    reset = {"oobCode": code["oobCode"], "newPassword": "another1"}
    emulator.request("POST", "auth", "/identitytoolkit.googleapis.com/v1/accounts:resetPassword?key=any", reset)
    sign_in(empty(page), email, "another1")
    expect(phone(page, "Ana").get_by_text("No conversations yet")).to_be_visible()


def test_accounts_of_the_demo_sign_in_with_one_click(page, emulator):
    add_account(emulator, "ana", name="Ana")
    page.goto("/chat?phones=")
    quick = empty(page).get_by_role("group", name="Sign in with one click").get_by_role("button")
    # Ana has another password.
    expect(quick).to_have_text(["JJonas", "LLéa", "MMarco", "SSarah"])
    quick.filter(has_text="Sarah").click()
    sarah = phone(page, "Sarah")
    sarah.get_by_role("button", name="Marco").click()
    with page.expect_request(writes("See you tomorrow!")) as request:
        write(sarah, "See you tomorrow!")
    expect(own(sarah, "See you tomorrow!").get_by_text("Sent")).to_be_visible()
    assert claims_of(request.value)["firebase"]["sign_in_provider"] == "password"


def test_a_person_without_an_account_can_be_chosen_and_another_one_signs_in(page, emulator):
    emulator.write("users/zoe", {"displayName": string("Zoe"), "primaryLanguage": string("en")})
    email = add_account(emulator, "ana", name="Ana")
    page.goto("/chat?phones=")
    who = page.get_by_label("Who uses this phone")
    who.select_option("Zoe")
    expect(phone(page, "Zoe").get_by_text("No conversations yet")).to_be_visible()
    who.select_option("Ana")
    expect(empty(page).get_by_label("Email")).to_have_value(email)
    # The address keeps who is expected.
    page.reload()
    expect(empty(page).get_by_label("Email")).to_have_value(email)
    sign_in(empty(page), email, "secret1")
    expect(phone(page, "Ana").get_by_text("No conversations yet")).to_be_visible()
    # The browser keeps the session for the next time.
    who.select_option("Zoe")
    expect(phone(page, "Zoe").get_by_text("No conversations yet")).to_be_visible()
    who.select_option("Ana")
    expect(phone(page, "Ana").get_by_text("No conversations yet")).to_be_visible()


def sign_in_to_a_conversation(page, emulator):
    """Signs Ana in, opens her conversation with Sarah, and returns Ana's phone."""
    add_account(emulator, "ana", name="Ana")
    put_conversation(emulator, "ana-sarah", "ana", "sarah")
    page.goto("/chat?phones=")
    sign_in(empty(page), "ana@example.com", "secret1")
    ana = phone(page, "Ana")
    ana.get_by_role("button", name="Sarah").click()
    expect(ana.get_by_role("log")).to_be_visible()
    return ana


def test_a_session_survives_a_reload_and_ends_with_the_sign_out(page, emulator):
    ana = sign_in_to_a_conversation(page, emulator)
    page.reload()
    expect(ana.get_by_role("log")).to_be_visible()
    write(ana, "¡Buenos días!")
    expect(own(ana, "¡Buenos días!").get_by_text("Sent")).to_be_visible()

    choose_in_menu(ana, "Sign out")
    expect(empty(page).get_by_label("Email")).to_be_focused()
    emulator.quiet()
    expect(page).to_have_url(emulator.url("ui", "/chat"))
    page.reload()
    expect(empty(page).get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('chat.session'))") == []
    # The same user finds the same conversation again, if the page wasn't reloaded meanwhile.
    sign_in(empty(page), "ana@example.com", "secret1")
    ana.get_by_role("button", name="Sarah").click()
    expect(message(ana, "¡Buenos días!")).to_be_visible()
    choose_in_menu(ana, "Sign out")
    sign_in(empty(page), "ana@example.com", "secret1")
    expect(message(ana, "¡Buenos días!")).to_be_visible()


def test_a_user_who_signs_out_is_offline(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    subtitle = phone(page, "Marco").locator(".subtitle")
    expect(subtitle).to_have_text("online")
    choose_in_menu(phone(page, "Sarah"), "Sign out")
    expect(subtitle).to_contain_text("last seen")


def test_a_sign_out_with_unsent_messages_needs_confirmation(page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco:offline")
    sarah = phone(page, "Sarah")
    write(sarah, "One")
    choose_in_menu(sarah, "Sign out")
    dialog = page.get_by_role("dialog", name="Sign out?")
    expect(dialog).to_contain_text("aren't sent yet: 1.")
    dialog.get_by_role("button", name="Sign out").click()
    empty(page).get_by_role("switch", name="Offline").check()
    empty(page).get_by_role("button", name="Sarah").click()
    expect(own(sarah, "One").get_by_text("Sent")).to_be_visible()


def test_two_phones_of_one_user_sign_out_separately(page, emulator):
    add_account(emulator, "ana", name="Ana")
    page.goto("/chat?phones=")
    sign_in(empty(page), "ana@example.com", "secret1")
    expect(phone(page, "Ana")).to_have_count(1)
    page.get_by_role("button", name="Add a phone").click()
    empty(page).get_by_label("Who uses this phone").select_option("Ana")
    expect(phone(page, "Ana")).to_have_count(2)
    choose_in_menu(phone(page, "Ana").first, "Sign out")
    expect(phone(page, "Ana")).to_have_count(1)
    page.reload()
    expect(phone(page, "Ana").get_by_text("No conversations yet")).to_be_visible()
    expect(empty(page)).to_have_count(1)


def test_expired_tokens_are_renewed_unnoticed(context, page, emulator):
    open_chat(page, emulator, "sarah:sarah-marco,marco:sarah-marco")
    sarah, marco = phone(page, "Sarah"), phone(page, "Marco")
    expect(message(marco, HELLO)).to_be_visible()
    with page.expect_event("requestfinished", is_renewal):
        expire_tokens(emulator)
        write(sarah, "See you tomorrow!")
    # Marco's token has expired, too: the receipt needs a new one.
    expect(own(sarah, "See you tomorrow!").get_by_text("Read")).to_be_visible()
    expire_tokens(emulator)
    marco.get_by_role("button", name="Suggest replies").click()
    expect(marco.locator(".pill")).to_have_count(3)
    expire_tokens(emulator)
    marco.get_by_role("button", name="Ask AI").click()
    marco.get_by_label("Question about this conversation").fill("Quando ci vediamo per un caffè?")
    marco.get_by_role("button", name="Ask", exact=True).click()
    expect(marco.get_by_role("region", name="Ask AI")).to_contain_text("Sarah ha scritto")
    expect(sarah.get_by_text("Not sent")).to_have_count(0)
    # A reload checks the session, and renews it.
    expire_tokens(emulator)
    page.reload()
    expect(message(sarah, "See you tomorrow!")).to_be_visible()
    # Chromium logs the refused requests.
    assert all("401" in problem or "400" in problem for problem in context.problems)
    context.problems.clear()


def test_an_unsigned_token_is_renewed_too(context, page, emulator):
    emulator.write("users/zoe", {"displayName": string("Zoe"), "primaryLanguage": string("en")})
    put_conversation(emulator, "zoe-sarah", "zoe", "sarah")
    open_chat(page, emulator, "zoe:zoe-sarah")
    zoe = phone(page, "Zoe")
    expire_tokens(emulator)
    write(zoe, "See you tomorrow!")
    expect(own(zoe, "See you tomorrow!").get_by_text("Sent")).to_be_visible()
    context.problems.clear()


def disable(emulator, uid):
    update_account(emulator, uid, disableUser=True)


def revoke(emulator, uid):
    update_account(emulator, uid, validSince="4000000000")


@pytest.mark.parametrize("end, why", [
    (disable, "The account is disabled."),
    (delete_account, "The account was deleted."),
    (revoke, "The password was changed, or all sessions were ended."),
], ids=["disabled", "deleted", "revoked"])
def test_a_session_that_was_ended_returns_to_the_sign_in(context, page, emulator, end, why):
    ana = sign_in_to_a_conversation(page, emulator)
    go_offline(ana)
    write(ana, "¡Buenos días!")
    end(emulator, "ana")
    expire_tokens(emulator)
    ana.get_by_role("switch", name="Offline").check()
    expect(empty(page).get_by_role("alert").first).to_have_text(f"You were signed out. {why}")
    expect(empty(page).get_by_label("Email")).to_have_value("ana@example.com")
    page.reload()
    expect(empty(page).get_by_role("heading", name="Sign in")).to_be_visible()
    if end is disable:
        # The message waits for the user.
        update_account(emulator, "ana", disableUser=False)
        sign_in(empty(page), "ana@example.com", "secret1")
        ana.get_by_role("button", name="Sarah").click()
        expect(own(ana, "¡Buenos días!").get_by_text("Sent")).to_be_visible()
    context.problems.clear()


def test_a_session_that_was_ended_while_the_page_was_closed_returns_to_the_sign_in(context, page, emulator):
    add_account(emulator, "ana", name="Ana")
    page.goto("/chat?phones=")
    sign_in(empty(page), "ana@example.com", "secret1")
    expect(phone(page, "Ana").get_by_text("No conversations yet")).to_be_visible()
    page.goto("/status")
    delete_account(emulator, "ana")
    page.goto("/chat")
    expect(empty(page).get_by_role("alert").first).to_have_text("The account was deleted.")
    context.problems.clear()


def test_hostile_names_are_shown_as_text_and_the_forms_work_with_the_keyboard(page, emulator):
    name = "<img src=x onerror=alert(1)>"
    emulator.write("users/sarah", emulator.get("users/sarah") | {"displayName": string(name)})
    page.goto("/chat?phones=")
    expect(empty(page).get_by_role("group", name="Sign in with one click").get_by_text(name)).to_be_visible()
    expect(page.locator("main img[src=x]")).to_have_count(0)
    page.get_by_label("Email").focus()
    page.keyboard.type("sarah@example.com")
    page.keyboard.press("Tab")
    page.keyboard.type("worldchat")
    page.keyboard.press("Enter")
    expect(phone(page, name)).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_nothing_serious_on_the_forms(page, emulator, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto("/chat?phones=")
    expect(empty(page).get_by_role("button", name="Sarah")).to_be_visible()
    check(page)
    empty(page).get_by_role("button", name="New here? Sign up").click()
    check(page)
    empty(page).get_by_role("button", name="Menu of this phone").click()
    check(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
