"""Out-of-band codes: what a mailbox would get, by request, by link and by code."""

import re
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import pytest
from auth.service import KEY, NEW_PASSWORD, PASSWORD, payload, service, unique_email

SENT = "identitytoolkit#GetOobConfirmationCodeResponse"
RESET = "identitytoolkit#ResetPasswordResponse"
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
CONTINUE = "https://example.com/done?trip=1"
MODES = {
    "PASSWORD_RESET": "resetPassword",
    "VERIFY_EMAIL": "verifyEmail",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
    "EMAIL_SIGNIN": "signIn",
}


@pytest.fixture
def user(service):
    return service.sign_up()


def sent(service, user, kind, **members):
    """Requests a code as an app does, and returns it as the mailbox gets it."""
    asked = {"idToken": user["idToken"]} if kind.startswith("VERIFY") else {"email": user["email"]}
    answer = service.user("sendOobCode", requestType=kind, **asked, **members)
    answer.expect(kind=SENT, email=user["email"])
    return service.code(user["email"], kind)


def followed(service, code, **members):
    """Follows a code's link, and returns the answer's only member."""
    link = code["oobLink"]
    if members:
        link += "&" + urllib.parse.urlencode(members)
    answer = service.send("GET", link)
    assert set(answer.body) == {"authEmulator"}, answer.body
    return answer.status, answer.body["authEmulator"]


@pytest.mark.parametrize("kind", MODES)
@pytest.mark.parametrize("url", [None, CONTINUE])
def test_a_code_comes_with_its_link(service, user, kind, url):
    members = {"newEmail": unique_email()} if kind == "VERIFY_AND_CHANGE_EMAIL" else {}
    code = sent(service, user, kind, **members, **({"continueUrl": url} if url else {}))
    assert re.fullmatch("[A-Za-z0-9_-]{54}", code["oobCode"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", code["sentAt"])
    assert code == {
        "email": user["email"],
        "requestType": kind,
        "oobCode": code["oobCode"],
        "oobLink": code["oobLink"],
        "sentAt": code["sentAt"],
        **members,
    }
    link = urllib.parse.urlsplit(code["oobLink"])
    assert (link.scheme, link.netloc, link.path) == ("http", service.host, "/emulator/action")
    query = {"mode": MODES[kind], "lang": "en", "oobCode": code["oobCode"], "apiKey": KEY}
    expected = [*query.items(), *([("continueUrl", url)] if url else [])]
    assert urllib.parse.parse_qsl(link.query) == expected


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN"])
def test_an_administrator_gets_the_link_in_the_answer(service, user, kind):
    answer = service.admin(
        "/accounts:sendOobCode", requestType=kind, email=user["email"], returnOobLink=True
    )
    body = answer.expect("oobCode", "oobLink", kind=SENT, email=user["email"])
    code = service.code(user["email"], kind)
    assert (body["oobCode"], body["oobLink"]) == (code["oobCode"], code["oobLink"])


@pytest.mark.parametrize(
    "members, message",
    [
        ({}, "MISSING_REQ_TYPE"),
        ({"requestType": "OOB_REQ_TYPE_UNSPECIFIED"}, "MISSING_REQ_TYPE"),
        ({"requestType": "PASSWORD_RESET"}, "MISSING_EMAIL"),
        ({"requestType": "EMAIL_SIGNIN"}, "MISSING_EMAIL"),
        ({"requestType": "PASSWORD_RESET", "email": "nobody@example.com"}, "EMAIL_NOT_FOUND"),
        ({"requestType": "VERIFY_EMAIL"}, "INVALID_ID_TOKEN"),
        ({"requestType": "VERIFY_AND_CHANGE_EMAIL"}, "MISSING_NEW_EMAIL"),
        ({"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "a@b.c"}, "MISSING_ID_TOKEN"),
        (
            {"requestType": "VERIFY_EMAIL", "email": "a@b.c", "returnOobLink": True},
            "INSUFFICIENT_PERMISSION",
        ),
        *(
            (
                {"requestType": "EMAIL_SIGNIN", "email": "a@b.c", "continueUrl": url},
                "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))",
            )
            for url in ("/done", "javascript:alert(1)", "http://", "https://a.b/" + "c" * 8_192)
        ),
        ({"requestType": "EMAIL_SIGNIN", "email": f"{'a' * 1_000}@b.c"}, "INVALID_EMAIL"),
    ],
)
def test_a_code_is_refused(service, members, message):
    service.user("sendOobCode", **members).refused(message)


def test_codes_end_with_their_account(service, user):
    kinds = ("PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN")
    codes = [sent(service, user, kind)["oobCode"] for kind in kinds]
    service.admin("/accounts:delete", localId=user["localId"])
    assert service.codes(user["email"]) == []
    service.sign_up(user["email"])
    for code in codes:
        service.user("resetPassword", oobCode=code, newPassword=NEW_PASSWORD).refused("INVALID_OOB_CODE")
        service.user("update", oobCode=code).refused("INVALID_OOB_CODE")


def test_a_code_changes_only_the_account_that_it_was_sent_to(service, user):
    code = sent(service, user, "PASSWORD_RESET")["oobCode"]
    service.admin("/accounts:update", localId=user["localId"], email=unique_email())
    service.sign_up(user["email"])
    service.user("resetPassword", oobCode=code, newPassword=NEW_PASSWORD).refused("INVALID_OOB_CODE")


def test_a_reset_unlinks_other_providers(service, user):
    google = {"providerId": "google.com", "rawId": user["localId"]}
    service.admin("/accounts:update", localId=user["localId"], linkProviderUserInfo=google)
    code = sent(service, user, "PASSWORD_RESET")["oobCode"]
    assert service.user("resetPassword", oobCode=code, newPassword=NEW_PASSWORD).status == 200
    providers = service.account(user["localId"])["providerUserInfo"]
    assert [each["providerId"] for each in providers] == ["password"]


def test_the_newest_codes_are_listed(service, user):
    code = sent(service, user, "EMAIL_SIGNIN")
    sent(service, user, "VERIFY_EMAIL")
    assert len(service.emulator("GET", "oobCodes?limit=1").body["oobCodes"]) == 1
    # Other tests send codes, too.
    assert code in service.emulator("GET", "oobCodes?limit=1000").body["oobCodes"]
    service.emulator("GET", "oobCodes?limit=-1").malformed()


def test_a_link_for_nobody_is_refused(service):
    members = {"requestType": "VERIFY_EMAIL", "returnOobLink": True}
    service.admin("/accounts:sendOobCode", **members).refused("MISSING_EMAIL")
    answer = service.admin("/accounts:sendOobCode", **members, email="nobody@example.com")
    answer.refused("USER_NOT_FOUND")


def test_a_change_to_an_address_of_somebody_is_refused(service, user):
    members = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": user["idToken"]}
    taken = service.sign_up()["email"]
    service.user("sendOobCode", **members, newEmail=taken).refused("EMAIL_EXISTS")
    anonymous = service.user("signUp").body["idToken"]
    answer = service.user("sendOobCode", requestType="VERIFY_EMAIL", idToken=anonymous)
    answer.refused("MISSING_EMAIL")


def test_a_password_is_reset_once(service, user):
    code = sent(service, user, "PASSWORD_RESET")["oobCode"]
    members = {"kind": RESET, "requestType": "PASSWORD_RESET", "email": user["email"]}
    service.user("resetPassword", oobCode=code).expect(**members)
    service.user("resetPassword", oobCode=code, newPassword="12345").refused(WEAK)
    assert service.sign_in(user["email"]).status == 200
    service.user("resetPassword", oobCode=code, newPassword=NEW_PASSWORD).expect(**members)
    service.user("resetPassword", oobCode=code, newPassword="third time").refused(
        "INVALID_OOB_CODE"
    )
    service.sign_in(user["email"]).refused("INVALID_PASSWORD")
    assert service.sign_in(user["email"], NEW_PASSWORD).status == 200
    assert service.account(user["localId"])["emailVerified"] is True
    assert service.codes(user["email"]) == []


def test_a_reset_needs_a_code_for_passwords(service, user):
    service.user("resetPassword").refused("MISSING_OOB_CODE")
    service.user("resetPassword", oobCode="nobody's").refused("INVALID_OOB_CODE")
    code = sent(service, user, "VERIFY_EMAIL")["oobCode"]
    members = {"kind": RESET, "requestType": "VERIFY_EMAIL", "email": user["email"]}
    service.user("resetPassword", oobCode=code).expect(**members)
    answer = service.user("resetPassword", oobCode=code, newPassword=NEW_PASSWORD)
    answer.refused("INVALID_OOB_CODE")


def test_an_address_is_verified_once(service, user):
    code = sent(service, user, "VERIFY_EMAIL")["oobCode"]
    answer = service.user("update", oobCode=code)
    assert (answer.status, answer.body["emailVerified"]) == (200, True)
    assert answer.body["email"] == user["email"]
    service.user("update", oobCode=code).refused("INVALID_OOB_CODE")
    service.user("update", oobCode="nobody's").refused("INVALID_OOB_CODE")
    token = service.sign_in(user["email"]).body["idToken"]
    assert payload(token)["email_verified"] is True


def test_an_address_changes_after_its_verification(service, user):
    new = unique_email()
    code = sent(service, user, "VERIFY_AND_CHANGE_EMAIL", newEmail=new)["oobCode"]
    assert service.account(user["localId"])["email"] == user["email"]
    answer = service.user("update", oobCode=code)
    changed = (answer.body["email"], answer.body["newEmail"], answer.body["emailVerified"])
    assert changed == (new, new, True)
    assert service.sign_in(new).body["localId"] == user["localId"]
    service.sign_in(user["email"]).refused("EMAIL_NOT_FOUND")


def test_a_changed_address_is_recovered(service, user):
    new = unique_email()
    service.user("update", idToken=user["idToken"], email=new)
    assert service.account(user["localId"])["initialEmail"] == user["email"]
    status, answer = followed(service, service.code(user["email"], "RECOVER_EMAIL"))
    assert (status, answer["email"]) == (200, user["email"])
    assert service.sign_in(user["email"]).body["localId"] == user["localId"]
    service.sign_in(new).refused("EMAIL_NOT_FOUND")


def test_a_link_verifies_an_address_once(service, user):
    code = sent(service, user, "VERIFY_EMAIL")
    status, answer = followed(service, code)
    success = "The email has been successfully verified."
    assert (status, answer) == (200, {"success": success, "email": user["email"]})
    assert service.account(user["localId"])["emailVerified"] is True
    status, answer = followed(service, code)
    assert status == 400 and answer["error"]


def test_a_link_resets_a_password(service, user):
    code = sent(service, user, "PASSWORD_RESET")
    status, answer = followed(service, code)
    assert status == 400 and "newPassword" in answer["error"]
    status, answer = followed(service, code, newPassword=NEW_PASSWORD)
    success = "The password has been successfully updated."
    assert (status, answer) == (200, {"success": success, "email": user["email"]})
    assert service.sign_in(user["email"], NEW_PASSWORD).status == 200


def test_of_many_who_follow_a_link_one_resets_the_password(service, user):
    link = sent(service, user, "PASSWORD_RESET")["oobLink"]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda number: service.send("GET", f"{link}&newPassword=secret{number}"), range(16)))
    assert [answer.status for answer in answers].count(200) == 1


def test_a_link_changes_an_address(service, user):
    new = unique_email()
    code = sent(service, user, "VERIFY_AND_CHANGE_EMAIL", newEmail=new)
    status, answer = followed(service, code)
    success = "The email has been successfully changed."
    assert (status, answer) == (200, {"success": success, "newEmail": new})
    assert service.sign_in(new).body["localId"] == user["localId"]


@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "PASSWORD_RESET", "EMAIL_SIGNIN"])
def test_a_link_goes_on_to_the_app(service, user, kind):
    link = sent(service, user, kind, continueUrl=CONTINUE)["oobLink"]
    answer = service.send("GET", link + f"&newPassword={NEW_PASSWORD.replace(' ', '+')}")
    assert answer.status == 303
    target = answer.headers["Location"]
    if kind == "EMAIL_SIGNIN":
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(target).query))
        assert target.startswith("https://example.com/done?")
        assert (query["trip"], query["mode"], query["apiKey"]) == ("1", "signIn", KEY)
        assert query["oobCode"] in link
    else:
        assert target == CONTINUE


@pytest.mark.parametrize("query", ["", "mode=verifyEmail", f"apiKey={KEY}", "oobCode=c&apiKey=k"])
@pytest.mark.parametrize("mode", ["", "&mode=unknown", "&mode=resetPassword", "&mode=recoverEmail"])
def test_an_incomplete_link_is_refused(service, query, mode):
    answer = service.send("GET", f"/emulator/action?{query}{mode}")
    assert answer.status == 400 and answer.body["authEmulator"]["error"]


def test_a_link_signs_a_person_in(service, user):
    code = sent(service, user, "EMAIL_SIGNIN", continueUrl=CONTINUE)["oobCode"]
    asked = {"oobCode": code, "email": user["email"]}
    other = service.user("signInWithEmailLink", oobCode=code, email=unique_email())
    other.refused("INVALID_EMAIL : The email provided does not match the sign-in email address.")
    service.user("signInWithEmailLink", **asked).expect(
        *("idToken", "refreshToken"),
        **{"kind": "identitytoolkit#EmailLinkSigninResponse", "email": user["email"]},
        **{"localId": user["localId"], "isNewUser": False, "expiresIn": "3600"},
    )
    service.user("signInWithEmailLink", **asked).refused("INVALID_OOB_CODE")
