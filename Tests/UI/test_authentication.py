"""The page Authentication: accounts, messages with codes and links, and settings."""

import json
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from test_accessibility import problems, violations

TOOLKIT = "/identitytoolkit.googleapis.com/v1"
PROJECT = f"{TOOLKIT}/projects/demo-worldchat"
ROUTES = "/emulator/v1/projects/demo-worldchat"
HOSTILE = "<img src=x onerror=alert(1)>"


def admin(emulator, operation, **members):
    """Calls an operation as a server does; `operation` follows the project."""
    return emulator.request("POST", "auth", PROJECT + operation, members)


def client(emulator, operation, **members):
    """Calls an operation as an app does, without an administrator's token."""
    request = urllib.request.Request(
        emulator.url("auth", f"{TOOLKIT}/accounts:{operation}?key=any"), json.dumps(members).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def account(emulator, uid):
    """Returns an account, or None."""
    users = admin(emulator, "/accounts:lookup", localId=[uid]).get("users")
    return users[0] if users else None


def sign_in(emulator, email, password):
    return client(emulator, "signInWithPassword", email=email, password=password)["localId"]


def refusal(emulator, operation, **members):
    """Returns the message of a refused operation."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        client(emulator, operation, **members)
    with caught.value as error:
        return json.loads(error.read())["error"]["message"]


def row(page, text):
    return page.get_by_role("table", name="Accounts").get_by_role("row").filter(has_text=text)


def rows(page):
    """Returns the rows of accounts, without the heading."""
    return page.get_by_role("table", name="Accounts").locator("tbody").get_by_role("row")


def open_account(page, identifier):
    page.get_by_role("button", name=identifier, exact=True).click()
    dialog = page.get_by_role("dialog", name=identifier)
    expect(dialog).to_be_visible()
    return dialog


def save(dialog):
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)


def message(page, text):
    return page.get_by_role("list", name="Messages").get_by_role("listitem").filter(has_text=text)


def result(page):
    return page.get_by_role("region", name="Messages").get_by_role("status")


def count(page):
    return page.get_by_role("region", name="Accounts").get_by_role("status")


# Accounts


def test_accounts_are_listed_with_their_providers(page, emulator):
    page.goto("/authentication")
    expect(rows(page)).to_have_count(4)
    expect(count(page)).to_have_text("4 accounts")
    sarah = row(page, "sarah@example.com")
    expect(sarah.get_by_role("cell")).to_contain_text(["Sarah", "Password", re.compile(r"\d\d:\d\d"), "never", "sarah"])
    sign_in(emulator, "sarah@example.com", "worldchat")
    expect(sarah.get_by_role("cell").nth(3)).to_contain_text(re.compile(r"\d\d:\d\d"))
    # A new account appears by itself.
    client(emulator, "signUp")
    expect(row(page, "anonymous")).to_contain_text("Anonymous")
    expect(count(page)).to_have_text("5 accounts")


def test_accounts_are_found_by_id_email_name_and_phone_number(page, emulator):
    admin(emulator, "/accounts", localId="phone-1", phoneNumber="+39055123456", displayName="Ⅎ Jürgen")
    page.goto("/authentication")
    search = page.get_by_role("searchbox", name="Search")
    for text, found in [
        ("LEA@", "lea@example.com"), ("phone-", "+39055123456"), ("jürg", "+39055123456"), ("551234", "+39055123456"),
    ]:
        search.fill(text)
        expect(rows(page)).to_have_count(1)
        expect(rows(page)).to_contain_text(found)
    # The search is in the address.
    expect(page).to_have_url("/authentication?search=551234")
    page.reload()
    expect(search).to_have_value("551234")
    expect(rows(page)).to_have_count(1)
    expect(count(page)).to_have_text("1 of 5 accounts")
    search.fill("nobody")
    expect(page.get_by_text("No account matches.")).to_be_visible()
    search.fill("")
    expect(rows(page)).to_have_count(5)
    expect(page).to_have_url("/authentication")


def test_many_accounts_are_shown_in_pages(page, emulator):
    # A request can create a thousand accounts.
    for start in range(0, 3_000, 1_000):
        admin(emulator, "/accounts:batchCreate", users=[
            {"localId": f"many-{number:05}", "email": f"{number}@many.example"}
            for number in range(start, start + 1_000)
        ])
    page.goto("/authentication")
    expect(count(page)).to_have_text("3,004 accounts")
    pages = page.get_by_role("navigation", name="Pages of accounts")
    previous, following = pages.get_by_role("button", name="Previous"), pages.get_by_role("button", name="Next")
    expect(rows(page)).to_have_count(25)
    expect(previous).to_be_disabled()
    following.click()
    expect(count(page)).to_have_text("page 2, 3,004 accounts")
    following.click()
    expect(count(page)).to_have_text("page 3, 3,004 accounts")
    expect(rows(page).last).to_contain_text("many-00072")
    # The page of the table is in the address, without its number.
    page.reload()
    expect(rows(page).last).to_contain_text("many-00072")
    expect(count(page)).to_have_text("3,004 accounts")
    first = pages.get_by_role("button", name="First page")
    following.click()
    expect(rows(page).first).to_contain_text("many-00073")
    previous.click()
    expect(rows(page).last).to_contain_text("many-00072")
    first.click()
    expect(rows(page).first).to_contain_text("jonas")
    following.click()
    expect(count(page)).to_have_text("page 2, 3,004 accounts")
    # Without a next page, the button has no effect.
    page.goto("/authentication?after=many-02999")
    expect(rows(page)).to_have_count(2)
    expect(following).to_be_disabled()
    following.click(force=True)
    expect(rows(page)).to_have_count(2)
    expect(page).to_have_url("/authentication?after=many-02999")
    page.get_by_role("searchbox", name="Search").fill("many-02999")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("2999@many.example")
    expect(pages).to_be_hidden()


def test_without_accounts_the_page_says_how_to_get_some(page, emulator):
    page.goto("/authentication")
    expect(rows(page)).to_have_count(4)
    page.get_by_role("button", name="Delete all…").click()
    dialog = page.get_by_role("dialog", name="Delete all accounts?")
    dialog.get_by_role("button", name="Cancel").click()
    assert account(emulator, "sarah")
    page.get_by_role("button", name="Delete all…").click()
    dialog.get_by_role("button", name="Delete 4 accounts").click()
    expect(page.get_by_text("No accounts yet.")).to_be_visible()
    assert account(emulator, "sarah") is None
    expect(page.get_by_role("button", name="Delete all…")).to_be_disabled()
    page.get_by_role("region", name="Accounts").get_by_role("link", name="Status").click()
    expect(page).to_have_url("/status")


# Changes


def test_a_user_is_added_in_each_way(context, page, emulator):
    page.goto("/authentication")
    add = page.get_by_role("button", name="Add user…")
    dialog = page.get_by_role("dialog", name="Add a user")
    add.click()
    expect(dialog.get_by_label("Email", exact=True)).to_be_focused()
    dialog.get_by_label("Email", exact=True).fill("sarah@example.com")
    dialog.get_by_role("textbox", name="Password").fill("short")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Another account has this email address. (EMAIL_EXISTS)")
    dialog.get_by_label("Email", exact=True).fill("zoe@example.com")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert")).to_contain_text("at least 6 characters")
    dialog.get_by_role("textbox", name="Password").fill("secret word")
    dialog.get_by_label("Name").fill("Zoë")
    dialog.get_by_label("User ID").fill("zoe")
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, "zoe@example.com")).to_contain_text("Zoë")
    assert sign_in(emulator, "zoe@example.com", "secret word") == "zoe"
    add.click()
    dialog.get_by_label("Signs in with").select_option("Phone number")
    expect(dialog.get_by_label("Email", exact=True)).to_be_hidden()
    dialog.get_by_role("textbox", name="Phone number").fill("055")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert")).to_contain_text("INVALID_PHONE_NUMBER")
    dialog.get_by_role("textbox", name="Phone number").fill("+39 055 123456")
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, "+39055123456")).to_contain_text("Phone")
    add.click()
    dialog.get_by_label("Signs in with").select_option("Anonymous")
    dialog.get_by_role("button", name="Add").click()
    expect(row(page, "anonymous")).to_have_count(1)
    # Chromium logs refused requests.
    context.problems.clear()


def test_an_account_is_edited(page, emulator):
    page.goto("/authentication")
    dialog = open_account(page, "sarah@example.com")
    expect(page).to_have_url("/authentication?user=sarah")
    # The account has its own address.
    page.reload()
    dialog.get_by_label("Email", exact=True).fill("Sarah.New@example.com")
    dialog.get_by_label("The email address is verified").uncheck()
    dialog.get_by_label("Name").fill("Sarah  שרה")
    dialog.get_by_label("Photo URL").fill("https://example.com/sarah.png")
    dialog.get_by_label("Phone number").fill("+39 055 123456")
    dialog.get_by_label("New password").fill("another one")
    save(dialog)
    expect(page).to_have_url("/authentication")
    expect(row(page, "sarah.new@example.com")).to_contain_text("שרה")
    changed = account(emulator, "sarah")
    assert changed["email"] == "sarah.new@example.com"
    assert changed["emailVerified"] is False
    assert changed["photoUrl"] == "https://example.com/sarah.png"
    assert changed["phoneNumber"] == "+39055123456"
    assert sign_in(emulator, "sarah.new@example.com", "another one") == "sarah"
    dialog = open_account(page, "sarah.new@example.com")
    for label in ["Name", "Photo URL", "Phone number"]:
        dialog.get_by_label(label).fill("")
    save(dialog)
    changed = account(emulator, "sarah")
    assert not {"displayName", "photoUrl", "phoneNumber"} & set(changed)
    assert changed["email"] == "sarah.new@example.com"


def test_only_changed_fields_are_sent_and_edits_are_not_disturbed(page, emulator):
    page.goto("/authentication")
    dialog = open_account(page, "lea@example.com")
    dialog.get_by_label("Photo URL").fill("https://example.com/lea.png")
    # Meanwhile, somebody else changes the account, and the table shows that.
    admin(emulator, "/accounts:update", localId="lea", displayName="Léa 2")
    expect(row(page, "Léa 2")).to_have_count(1)
    # A change that takes effect at once shows the others, except where the user has typed.
    dialog.get_by_role("button", name="Disable").click()
    expect(dialog.get_by_label("Name")).to_have_value("Léa 2")
    expect(dialog.get_by_label("Photo URL")).to_have_value("https://example.com/lea.png")
    admin(emulator, "/accounts:update", localId="lea", displayName="Léa 3")
    save(dialog)
    changed = account(emulator, "lea")
    assert (changed["displayName"], changed["photoUrl"]) == ("Léa 3", "https://example.com/lea.png")


def test_custom_claims_are_checked_by_the_service(context, page, emulator):
    page.goto("/authentication")
    dialog = open_account(page, "marco@example.com")
    claims = dialog.get_by_label("Custom claims")
    for text, error in [
        ("{", "must be a JSON object. (INVALID_CLAIMS)"), ("[1]", "INVALID_CLAIMS"),
        ('{"sub":"x"}', "(FORBIDDEN_CLAIM : sub)"), (json.dumps({"a": "x" * 1_000}), "CLAIMS_TOO_LARGE"),
    ]:
        claims.fill(text)
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert").filter(visible=True)).to_contain_text(error)
    claims.fill('{"admin": true}')
    save(dialog)
    assert account(emulator, "marco")["customAttributes"] == '{"admin": true}'
    dialog = open_account(page, "marco@example.com")
    expect(claims).to_have_value('{"admin": true}')
    claims.fill("")
    save(dialog)
    assert account(emulator, "marco").get("customAttributes", "") == ""
    # Chromium logs refused requests.
    context.problems.clear()


def test_an_account_is_disabled_and_enabled(page, emulator):
    page.goto("/authentication")
    dialog = open_account(page, "marco@example.com")
    dialog.get_by_role("button", name="Disable").click()
    expect(dialog.get_by_role("button", name="Enable")).to_be_visible()
    expect(row(page, "marco@example.com")).to_contain_text("disabled")
    members = {"email": "marco@example.com", "password": "worldchat"}
    assert refusal(emulator, "signInWithPassword", **members) == "USER_DISABLED"
    dialog.get_by_role("button", name="Enable").click()
    expect(dialog.get_by_role("button", name="Disable")).to_be_visible()
    expect(row(page, "marco@example.com")).not_to_contain_text("disabled")
    assert sign_in(emulator, **members) == "marco"


def test_an_account_is_deleted_after_a_confirmation(page, emulator):
    page.goto("/authentication")
    dialog = open_account(page, "jonas@example.com")
    dialog.get_by_role("button", name="Delete…").click()
    confirmation = page.get_by_role("dialog", name="Delete jonas@example.com?")
    confirmation.get_by_role("button", name="Cancel").click()
    assert account(emulator, "jonas")
    dialog.get_by_role("button", name="Delete…").click()
    confirmation.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row(page, "jonas@example.com")).to_have_count(0)
    assert account(emulator, "jonas") is None


def test_a_deleted_account_can_not_be_saved(context, page, emulator):
    page.goto("/authentication")
    dialog = open_account(page, "jonas@example.com")
    admin(emulator, "/accounts:delete", localId="jonas")
    dialog.get_by_label("Name").fill("Jonas 2")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert").filter(visible=True)).to_contain_text("doesn't exist any more")
    dialog.get_by_role("button", name="Cancel").click()
    page.goto("/authentication?user=jonas")
    expect(page.get_by_role("alert")).to_have_text("The account doesn't exist any more.")
    expect(page).to_have_url("/authentication")
    # Chromium logs the refused request.
    context.problems.clear()


def test_refresh_tokens_are_revoked_and_providers_unlinked(page, emulator):
    google = {"providerId": "google.com", "rawId": "google-lea"}
    admin(emulator, "/accounts:update", localId="lea", linkProviderUserInfo=google, validSince=1)
    page.goto("/authentication")
    expect(row(page, "lea@example.com")).to_contain_text("Google")
    dialog = open_account(page, "lea@example.com")
    dialog.get_by_role("button", name="Revoke refresh tokens").click()
    expect(page.locator(".visually-hidden[role=status]")).to_have_text("The refresh tokens are revoked")
    assert int(account(emulator, "lea")["validSince"]) > 1_700_000_000
    dialog.get_by_role("button", name="Unlink Google").click()
    expect(dialog.get_by_role("list", name="Providers")).not_to_contain_text("Google")
    expect(row(page, "lea@example.com")).not_to_contain_text("Google")
    # Without the provider for passwords, the account has no email address.
    dialog.get_by_role("button", name="Unlink Password").click()
    question = page.get_by_role("dialog", name="Unlink the password?")
    question.get_by_role("button", name="Unlink").click()
    expect(dialog.get_by_label("Email", exact=True)).to_have_value("")
    assert "email" not in account(emulator, "lea")


@pytest.mark.parametrize("uid", ["a/b?c#d", "..", "100%"])
def test_an_account_with_any_id_is_opened(page, emulator, uid):
    admin(emulator, "/accounts", localId=uid, email="odd@example.com")
    page.goto("/authentication")
    expect(open_account(page, "odd@example.com")).to_contain_text(uid)
    page.reload()
    expect(page.get_by_role("dialog", name="odd@example.com")).to_contain_text(uid)


def test_hostile_texts_are_shown_as_text(page, emulator):
    admin(emulator, "/accounts", localId=HOSTILE, displayName=f"{HOSTILE}\u202e", photoUrl="javascript:alert(1)",
          email="<b>x</b>@example.com")
    client(emulator, "sendOobCode", requestType="PASSWORD_RESET", email="<b>x</b>@example.com")
    page.goto("/authentication")
    hostile = row(page, "<b>x</b>@example.com")
    expect(hostile.get_by_role("cell").first).to_have_text(f"{HOSTILE}RLO")
    expect(hostile.get_by_role("cell").last).to_have_text(HOSTILE)
    expect(message(page, "<b>x</b>@example.com")).to_be_visible()
    dialog = open_account(page, "<b>x</b>@example.com")
    expect(dialog.get_by_label("Photo URL")).to_have_value("javascript:alert(1)")
    expect(page.locator("main :is(img, b)")).to_have_count(0)


# Messages


def test_a_code_for_a_phone_is_copied(page, context, emulator):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/authentication")
    expect(page.get_by_text("No messages.")).to_be_visible()
    session = client(emulator, "sendVerificationCode", phoneNumber="+39055123456")["sessionInfo"]
    entry = message(page, "+39055123456")
    entry.get_by_role("button", name=re.compile("Copy the code")).click()
    expect(page.locator(".visually-hidden[role=status]")).to_have_text("Copied")
    code = page.evaluate("navigator.clipboard.readText()")
    assert client(emulator, "signInWithPhoneNumber", sessionInfo=session, code=code)["isNewUser"]
    # A used code disappears.
    expect(entry).to_have_count(0)
    expect(row(page, "+39055123456")).to_have_count(1)


def test_messages_are_shown_newest_first(page, emulator):
    for number in range(5):
        client(emulator, "sendOobCode", requestType="EMAIL_SIGNIN", email=f"{number}@example.com",
               continueUrl="http://localhost/app")
        client(emulator, "sendVerificationCode", phoneNumber=f"+3905500000{number}")
    page.goto("/authentication")
    recipients = page.get_by_role("list", name="Messages").locator(".recipient")
    expect(recipients).to_have_text([
        text for number in (4, 3, 2, 1, 0) for text in (f"+3905500000{number}", f"{number}@example.com")
    ])


def test_one_click_verifies_an_address(page, emulator):
    admin(emulator, "/accounts:update", localId="sarah", emailVerified=False)
    admin(emulator, "/accounts:sendOobCode", requestType="VERIFY_EMAIL", email="sarah@example.com")
    page.goto("/authentication")
    message(page, "Verify the address").get_by_role("button", name="Follow the link").click()
    expect(result(page)).to_have_text("sarah@example.com is verified.")
    expect(message(page, "sarah@example.com")).to_have_count(0)
    assert account(emulator, "sarah")["emailVerified"] is True


def test_one_click_changes_an_address_and_another_undoes_it(page, emulator):
    token = client(emulator, "signInWithPassword", email="lea@example.com", password="worldchat")["idToken"]
    client(emulator, "sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", idToken=token, newEmail="new@example.com")
    page.goto("/authentication")
    change = message(page, "Change the address to new@example.com")
    change.get_by_role("button", name="Follow the link").click()
    expect(result(page)).to_contain_text("is replaced")
    expect(row(page, "new@example.com")).to_have_count(1)
    token = client(emulator, "signInWithPassword", email="new@example.com", password="worldchat")["idToken"]
    client(emulator, "update", idToken=token, email="wrong@example.com")
    undo = message(page, "Undo the change of the address")
    undo.get_by_role("button", name="Follow the link").click()
    expect(result(page)).to_contain_text("new@example.com is the account's address again.")
    assert account(emulator, "lea")["email"] == "new@example.com"


def test_a_link_for_a_reset_asks_for_the_password(context, page, emulator):
    client(emulator, "sendOobCode", requestType="PASSWORD_RESET", email="marco@example.com",
           continueUrl="http://localhost/app")
    page.goto("/authentication")
    follow = message(page, "Reset the password").get_by_role("button", name="Follow the link")
    follow.click()
    dialog = page.get_by_role("dialog", name="Reset the password of marco@example.com")
    dialog.get_by_label("New password").fill("short")
    dialog.get_by_role("button", name="Reset").click()
    expect(dialog.get_by_role("alert")).to_contain_text("at least 6 characters. (WEAK_PASSWORD")
    dialog.get_by_label("New password").fill("long enough")
    dialog.get_by_role("button", name="Reset").click()
    expect(dialog).to_have_count(0)
    expect(result(page)).to_contain_text("marco@example.com has a new password.")
    expect(result(page).get_by_role("link")).to_have_attribute("href", "http://localhost/app")
    assert sign_in(emulator, "marco@example.com", "long enough") == "marco"
    # Chromium logs the refused request.
    context.problems.clear()


def test_a_link_that_was_used_elsewhere_is_refused(context, page, emulator):
    sent = admin(emulator, "/accounts:sendOobCode", requestType="VERIFY_EMAIL", email="sarah@example.com",
                 returnOobLink=True)
    page.goto("/authentication")
    follow = message(page, "Verify the address").get_by_role("button", name="Follow the link")
    expect(follow).to_be_visible()
    # The list doesn't learn that the link was used.
    page.route("**/oobCodes", lambda route: None)
    client(emulator, "update", oobCode=sent["oobCode"])
    follow.click()
    error = page.get_by_role("region", name="Messages").get_by_role("alert")
    expect(error).to_have_text("The link has expired, or was used already. (INVALID_OOB_CODE)")
    # Chromium logs the refused request.
    context.problems.clear()


def test_a_sign_in_link_opens_the_app_with_its_code(page, context, emulator):
    app = emulator.url("ui", "/status")
    client(emulator, "sendOobCode", requestType="EMAIL_SIGNIN", email="new@example.com", continueUrl=app)
    page.goto("/authentication")
    with context.expect_page() as opened:
        message(page, "Sign in").get_by_role("button", name="Follow the link").click()
    opened.value.wait_for_url(re.compile(r"/status\?.*mode=signIn.*oobCode="))


# Settings


def test_settings_are_switched(page, emulator):
    page.goto("/authentication")
    for name, members in [
        ("Email enumeration protection", ["emailPrivacyConfig", "enableImprovedEmailPrivacy"]),
        ("Several accounts per email address", ["signIn", "allowDuplicateEmails"]),
    ]:
        switch = page.get_by_role("switch", name=name)
        expect(switch).not_to_be_checked()
        for is_on in (True, False, True):
            with page.expect_response(lambda response: response.request.method == "PATCH"):
                switch.click()
            section, member = members
            assert emulator.request("GET", "auth", f"{ROUTES}/config")[section][member] is is_on
            expect(switch).to_be_checked(checked=is_on)
    unknown = {"email": "nobody@example.com", "password": "whatever"}
    assert refusal(emulator, "signInWithPassword", **unknown) == "INVALID_LOGIN_CREDENTIALS"
    # The settings are stored in the emulator, not in the page.
    page.reload()
    expect(page.get_by_role("switch", name="Email enumeration protection")).to_be_checked()


def test_all_id_tokens_are_expired(page, emulator):
    token = client(emulator, "signInWithPassword", email="sarah@example.com", password="worldchat")["idToken"]
    page.goto("/authentication")
    page.get_by_role("button", name="Expire all ID tokens").click()
    expect(page.locator(".visually-hidden[role=status]")).to_have_text("All ID tokens are expired")
    assert refusal(emulator, "lookup", idToken=token) == "INVALID_ID_TOKEN"


# Everything


def test_axe_finds_nothing_serious_with_messages_and_dialogs(chromium, emulator):
    client(emulator, "sendVerificationCode", phoneNumber="+39055123456")
    client(emulator, "sendOobCode", requestType="PASSWORD_RESET", email="marco@example.com")
    admin(emulator, "/accounts:update", localId="sarah", disableUser=True)

    def look(page):
        page.goto("/authentication")
        expect(message(page, "marco@example.com")).to_be_visible()
        found = violations(page)
        open_account(page, "sarah@example.com")
        found += violations(page)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Add user…").click()
        return found + violations(page)

    assert problems(chromium, emulator, look) == []


def test_the_page_is_used_by_keyboard(page, emulator):
    page.goto("/authentication")
    page.get_by_role("button", name="lea@example.com", exact=True).press("Enter")
    dialog = page.get_by_role("dialog", name="lea@example.com")
    name = dialog.get_by_label("Name")
    name.fill("Léa L.")
    name.press("Enter")
    expect(dialog).to_have_count(0)
    expect(row(page, "Léa L.")).to_have_count(1)
    # The focus is where it was.
    expect(page.get_by_role("button", name="lea@example.com", exact=True)).to_be_focused()


def test_accounts_come_back_after_a_restart(context, page, emulator):
    page.goto("/authentication")
    expect(rows(page)).to_have_count(4)
    client(emulator, "signUp")
    expect(rows(page)).to_have_count(5)
    emulator.stop()
    expect(page.get_by_role("status").filter(has_text="doesn't respond")).to_be_visible()
    emulator.start()
    # A new emulator has only the demo's accounts.
    expect(rows(page)).to_have_count(4)
    # Chromium logs the refused connections.
    context.problems.clear()
