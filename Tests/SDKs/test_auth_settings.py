"""What all accounts of a project have in common: settings, lists, deletion, many clients at once."""

import json
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import pytest
from auth.service import OWNER, PASSWORD, TOOLKIT, own, unique_email

PRIVACY = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
NO_PRIVACY = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}}
SIGN_IN = {"signIn": {"allowDuplicateEmails": False}}


@pytest.fixture(autouse=True)
def empty(own):
    own.emulator("DELETE", "accounts").expect()
    own.emulator("PATCH", "config", {**SIGN_IN, **NO_PRIVACY}).expect(**SIGN_IN, **NO_PRIVACY)
    return own


def test_addresses_are_protected_from_enumeration(own):
    email = own.sign_up()["email"]
    own.sign_in(email, "wrong password").refused("INVALID_PASSWORD")
    own.emulator("PATCH", "config", PRIVACY).expect(**SIGN_IN, **PRIVACY)
    assert own.emulator("GET", "config").body == {**SIGN_IN, **PRIVACY}
    for address in (email, unique_email()):
        own.sign_in(address, "wrong password").refused("INVALID_LOGIN_CREDENTIALS")
        reset = own.user("sendOobCode", requestType="PASSWORD_RESET", email=address)
        reset.expect(kind="identitytoolkit#GetOobConfirmationCodeResponse", email=address)
        members = {"identifier": address, "continueUri": "http://localhost/"}
        answer = own.user("createAuthUri", **members)
        answer.expect("sessionId", kind="identitytoolkit#CreateAuthUriResponse")
        assert len(own.codes(address)) == (address == email)
    # A user learns about others' addresses from no error, and changes the own one by a link only.
    user, taken = own.sign_up(), own.sign_up()["email"]
    for address in (taken, unique_email()):
        answer = own.user("update", idToken=user["idToken"], email=address)
        message = "Please verify the new email before changing email."
        answer.refused(f"OPERATION_NOT_ALLOWED : {message}")
        change = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": user["idToken"]}
        assert own.user("sendOobCode", **change, newEmail=address).status == 200
    (code,) = own.codes(user["email"])
    assert code["newEmail"] == address
    assert own.user("update", oobCode=code["oobCode"]).body["email"] == address
    assert own.sign_in(email).status == 200


@pytest.mark.parametrize(
    "body, status",
    [
        ({"signIn": {"allowDuplicateEmails": "yes"}}, 400),
        ({"emailPrivacyConfig": {"enableImprovedEmailPrivacy": "yes"}}, 400),
        ({"signIn": []}, 400),
    ],
)
def test_a_setting_is_refused(own, body, status):
    assert own.emulator("PATCH", "config", body).status == status
    assert own.emulator("GET", "config").body == {**SIGN_IN, **NO_PRIVACY}


def signed_in_by(service, provider, email):
    """Signs the owner of a verified address in with a provider, and returns the account's ID."""
    token = json.dumps({"sub": f"{provider} {email}", "email": email, "email_verified": True})
    body = urllib.parse.urlencode({"providerId": provider, "id_token": token})
    answer = service.user("signInWithIdp", requestUri="http://localhost", postBody=body)
    assert answer.status == 200, answer.body
    return answer.body["localId"]


def test_identities_with_one_address_have_separate_accounts_if_that_is_allowed(own):
    email = unique_email()
    uid = own.sign_up(email)["localId"]
    allowed = {"signIn": {"allowDuplicateEmails": True}}
    own.emulator("PATCH", "config", allowed).expect(**allowed, **NO_PRIVACY)
    google, apple = signed_in_by(own, "google.com", email), signed_in_by(own, "apple.com", email)
    assert len({uid, google, apple}) == 3
    # Later, the separate accounts stay, and the address stays with its first owner.
    own.emulator("PATCH", "config", SIGN_IN)
    assert signed_in_by(own, "google.com", email) == google
    assert signed_in_by(own, "apple.com", email) == apple
    for account in map(own.account, (google, apple)):
        assert "email" not in account
        assert account["providerUserInfo"][0]["email"] == email
    assert own.sign_in(email).body["localId"] == uid


def test_ways_to_sign_in_are_switched_off(own):
    email = own.sign_up()["email"]
    off = {"signIn": {"anonymous": {"enabled": False}, "email": {"enabled": False}}}
    assert own.emulator("PATCH", "config", off).status == 200
    own.user("signUp").refused("ADMIN_ONLY_OPERATION")
    own.user("signUp", email=unique_email(), password=PASSWORD).refused("OPERATION_NOT_ALLOWED")
    own.sign_in(email).refused("PASSWORD_LOGIN_DISABLED")
    on = {"signIn": {"anonymous": {"enabled": True}, "email": {"enabled": True}}}
    own.emulator("PATCH", "config", on)
    assert own.sign_in(email).status == 200


def people(service, count):
    users = [
        {"localId": f"user-{number:04}", "email": f"person{number}@example.com", "displayName": name}
        for number, name in zip(range(count), ["Sarah", "Μάρκος", "李小龙"] * count)
    ]
    service.admin("/accounts:batchCreate", users=users).expect(
        kind="identitytoolkit#UploadAccountResponse", error=[]
    )
    return users


def pages(service, path, token_name, items="users"):
    """Returns every page of a list."""
    found, token = [], ""
    while True:
        body = service.ask("GET", f"{path}{token}", None, OWNER).body
        found.append([each["localId"] for each in body[items]])
        if "nextPageToken" not in body:
            return found
        token = f"&{token_name}={body['nextPageToken']}"


def test_accounts_are_listed_in_pages(own):
    ids = [each["localId"] for each in people(own, 45)]
    path = f"{TOOLKIT}/projects/{own.project}/accounts:batchGet?maxResults="
    assert [len(page) for page in pages(own, f"{path}20", "nextPageToken")] == [20, 20, 5]
    assert sum(pages(own, f"{path}7", "nextPageToken"), []) == ids
    (everything,) = pages(own, f"{path}-1", "nextPageToken")
    assert everything == ids
    query = own.admin("/accounts:query", returnUserInfo=False)
    query.expect(recordsCount="45")


def test_accounts_are_searched(own):
    people(own, 45)

    def found(text):
        path = f"/emulator/v1/projects/{own.project}/accounts?pageSize=10&search={text}"
        return sum(pages(own, path, "pageToken"), [])

    assert found("person7@") == ["user-0007"]
    assert len(found("sarah")) == 15
    assert len(found("%CE%86%CE%A1%CE%9A%CE%9F")) == 15
    assert len(found("%E6%9D%8E")) == 15
    assert found("user-0044") == ["user-0044"]
    assert found("nobody") == []
    listed = own.emulator("GET", "accounts?pageSize=10")
    assert (listed.body["total"], len(listed.body["users"])) == ("45", 10)
    assert own.emulator("GET", "accounts?pageSize=0").malformed() is None
    assert own.emulator("GET", f"accounts?search={'x' * 1001}").malformed() is None


def test_of_many_who_take_an_address_one_gets_it(own):
    email = unique_email()
    with ThreadPoolExecutor(32) as pool:
        answers = list(
            pool.map(lambda _: own.user("signUp", email=email, password=PASSWORD), range(32))
        )
    created = [answer for answer in answers if answer.status == 200]
    assert len(created) == 1
    for answer in answers:
        if answer is not created[0]:
            answer.refused("EMAIL_EXISTS")
    assert own.admin("/accounts:query", returnUserInfo=False).body["recordsCount"] == "1"
    assert own.sign_in(email).body["localId"] == created[0].body["localId"]


def test_many_sign_up_at_once(own):
    with ThreadPoolExecutor(32) as pool:
        users = list(pool.map(lambda _: own.sign_up(), range(64)))
    assert len({each["localId"] for each in users}) == 64
    assert own.admin("/accounts:query", returnUserInfo=False).body["recordsCount"] == "64"


def test_all_accounts_are_deleted(own):
    user = own.sign_up()
    own.emulator("DELETE", "accounts").expect()
    own.user("lookup", idToken=user["idToken"]).refused("USER_NOT_FOUND")
    own.sign_up(user["email"])
