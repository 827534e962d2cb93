"""ID tokens and refresh tokens: what each operation refuses, and the Secure Token service."""

import base64
import json
import time

import pytest
from auth.service import (
    KEY,
    NEW_PASSWORD,
    PASSWORD,
    payload,
    service,
    unique_email,
    unsigned,
)

TOKEN = f"/securetoken.googleapis.com/v1/token?key={KEY}"
OF_A_TOKEN = {
    "lookup": {},
    "update": {"displayName": "Sarah"},
    "delete": {},
    "sendOobCode": {"requestType": "VERIFY_EMAIL"},
    "signUp": {"email": "linked@example.com", "password": PASSWORD},
}


@pytest.fixture
def user(service):
    return service.sign_up()


@pytest.mark.parametrize("operation", OF_A_TOKEN)
@pytest.mark.parametrize("token", ["x", "a.b.c", "....", "Zoë 😀"])
def test_what_is_no_token_is_refused(service, operation, token):
    service.user(operation, idToken=token, **OF_A_TOKEN[operation]).refused("INVALID_ID_TOKEN")


@pytest.mark.parametrize("operation", OF_A_TOKEN)
def test_a_token_of_nobody_is_refused(service, operation):
    token = unsigned("nobody", service.project)
    service.user(operation, idToken=token, **OF_A_TOKEN[operation]).refused("USER_NOT_FOUND")


@pytest.mark.parametrize("operation", OF_A_TOKEN)
def test_a_token_of_a_deleted_person_is_refused(service, operation, user):
    deleted = service.user("delete", idToken=user["idToken"])
    deleted.expect(kind="identitytoolkit#DeleteAccountResponse")
    answer = service.user(operation, idToken=user["idToken"], **OF_A_TOKEN[operation])
    answer.refused("USER_NOT_FOUND")
    assert service.account(user["localId"]) is None
    service.sign_in(user["email"]).refused("EMAIL_NOT_FOUND")


@pytest.mark.parametrize("operation", OF_A_TOKEN)
@pytest.mark.parametrize("form", [int, str])
def test_a_revoked_token_is_refused(service, operation, form, user):
    since = payload(user["idToken"])["iat"] + 1
    answer = service.admin("/accounts:update", localId=user["localId"], validSince=form(since))
    assert answer.status == 200
    assert service.account(user["localId"])["validSince"] == str(since)
    refused = service.user(operation, idToken=user["idToken"], **OF_A_TOKEN[operation])
    refused.refused("TOKEN_EXPIRED")


def test_a_token_of_an_earlier_account_is_refused(service):
    uid = unique_email()
    service.user("signInWithCustomToken", token=json.dumps({"uid": uid}))
    token = unsigned(uid, service.project, iat=int(time.time()) - 60)
    service.user("lookup", idToken=token).refused("TOKEN_EXPIRED")


def test_the_time_of_the_sign_in_stays(service, user):
    token = unsigned(user["localId"], service.project, auth_time=1_700_000_000)
    changed = service.user("update", idToken=token, password=NEW_PASSWORD).body
    assert payload(changed["idToken"])["auth_time"] == 1_700_000_000
    service.sign_in(user["email"], NEW_PASSWORD)
    refresh = {"grant_type": "refresh_token", "refresh_token": changed["refreshToken"]}
    fresh = service.refresh(**refresh).body["id_token"]
    assert payload(fresh)["auth_time"] == 1_700_000_000


def test_a_token_does_not_expire_with_time(service, user):
    now = int(time.time())
    token = unsigned(user["localId"], service.project, iat=now, exp=now - 1)
    answer = service.user("lookup", idToken=token).expect("kind", "users")
    assert answer["users"][0]["localId"] == user["localId"]


@pytest.mark.parametrize(
    "operation, message",
    [
        ("lookup", "MISSING_ID_TOKEN"),
        ("delete", "MISSING_ID_TOKEN"),
        ("update", "INVALID_REQ_TYPE : Unsupported request parameters."),
    ],
)
def test_a_token_is_required(service, operation, message):
    service.user(operation).refused(message)
    service.user(operation, localId="sarah").refused(message)


def test_the_web_and_ios_refresh_tokens(service, user):
    form = service.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"])
    members = {"grantType": "refresh_token", "refreshToken": user["refreshToken"]}
    ios = service.ask("POST", TOKEN, members)
    snake = {"grant_type": "refresh_token", "refresh_token": user["refreshToken"]}
    for answer in (form, ios, service.ask("POST", TOKEN, snake), service.refresh(**members)):
        body = answer.expect(
            *("id_token", "access_token", "refresh_token"),
            expires_in="3600",
            token_type="Bearer",
            user_id=user["localId"],
            project_id="12345",
        )
        assert body["access_token"] == body["id_token"]
        claims, first = payload(body["id_token"]), payload(user["idToken"])
        assert claims["iat"] >= first["iat"]
        times = ("iat", "exp", "auth_time")
        assert {**claims, **dict.fromkeys(times)} == {**first, **dict.fromkeys(times)}
        again = service.refresh(grant_type="refresh_token", refresh_token=body["refresh_token"])
        assert again.body["user_id"] == user["localId"]


def test_a_refreshed_token_has_the_profile_and_claims_of_now(service, user):
    service.user("update", idToken=user["idToken"], displayName="Zoë 😀", photoUrl="http://x/y")
    claims = json.dumps({"role": "guide", "trips": [1, 2.5, None]})
    service.admin("/accounts:update", localId=user["localId"], customAttributes=claims)
    answer = service.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"])
    claims = payload(answer.body["id_token"])
    assert (claims["name"], claims["picture"]) == ("Zoë 😀", "http://x/y")
    assert (claims["role"], claims["trips"]) == ("guide", [1, 2.5, None])


@pytest.mark.parametrize(
    "members, message",
    [
        ({}, "MISSING_GRANT_TYPE"),
        ({"grant_type": ""}, "MISSING_GRANT_TYPE"),
        ({"grant_type": "authorization_code"}, "INVALID_GRANT_TYPE"),
        ({"grant_type": "refresh_token"}, "MISSING_REFRESH_TOKEN"),
        ({"grant_type": "refresh_token", "refresh_token": ""}, "MISSING_REFRESH_TOKEN"),
        ({"grant_type": "refresh_token", "refresh_token": "r"}, "INVALID_REFRESH_TOKEN"),
        ({"grant_type": "refresh_token", "refresh_token": "Zoë 😀"}, "INVALID_REFRESH_TOKEN"),
        ({"grant_type": "refresh_token", "refresh_token": "e30="}, "INVALID_REFRESH_TOKEN"),
    ],
)
def test_a_refresh_is_refused(service, members, message):
    service.refresh(**members).refused(message)
    service.ask("POST", TOKEN, members).refused(message)


def test_refresh_tokens_of_other_projects_and_deleted_people_are_refused(service, user):
    content = json.loads(base64.b64decode(user["refreshToken"]))
    assert content["localId"] == user["localId"]
    assert (content["provider"], content["projectId"]) == ("password", service.project)
    foreign = base64.b64encode(json.dumps({**content, "projectId": "another"}).encode()).decode()
    service.user("delete", idToken=user["idToken"])
    for token, message in ((foreign, "INVALID_REFRESH_TOKEN"), (user["refreshToken"], "USER_NOT_FOUND")):
        service.refresh(grant_type="refresh_token", refresh_token=token).refused(message)


def test_an_old_password_ends_with_the_change_and_its_refresh_token_goes_on(service, user):
    changed = service.user("update", idToken=user["idToken"], password=NEW_PASSWORD).body
    service.sign_in(user["email"]).refused("INVALID_PASSWORD")
    answer = service.refresh(grant_type="refresh_token", refresh_token=changed["refreshToken"])
    assert answer.body["user_id"] == user["localId"]


@pytest.mark.parametrize(
    "members, message",
    [
        ({"customAttributes": "{}"}, "INSUFFICIENT_PERMISSION"),
        ({"disableUser": True}, "OPERATION_NOT_ALLOWED"),
        ({"disableUser": False}, "OPERATION_NOT_ALLOWED"),
        ({"email": "sarah"}, "INVALID_EMAIL"),
        ({"password": "12345"}, "WEAK_PASSWORD : Password should be at least 6 characters"),
    ],
)
def test_a_person_can_not_update(service, user, members, message):
    before = service.account(user["localId"])
    answer = service.user("update", idToken=user["idToken"], displayName="Changed", **members)
    answer.refused(message)
    assert service.account(user["localId"]) == before


def test_an_address_of_somebody_else_is_refused(service, user):
    other = service.sign_up()["email"]
    answer = service.user("update", idToken=user["idToken"], email=other, displayName="Changed")
    answer.refused("EMAIL_EXISTS")
    assert "displayName" not in service.account(user["localId"])


def test_what_only_administrators_change_is_ignored(service, user):
    members = {"emailVerified": True, "phoneNumber": "+390000", "validSince": "1", "createdAt": "1"}
    before = service.account(user["localId"])
    answer = service.user("update", idToken=user["idToken"], displayName="Sarah", **members)
    assert answer.status == 200
    after = service.account(user["localId"])
    kept = ("emailVerified", "phoneNumber", "createdAt")
    assert {name: after.get(name) for name in kept} == {name: before.get(name) for name in kept}
    assert int(after["validSince"]) >= int(before["validSince"])


def test_what_a_person_removes_is_gone(service, user):
    token = user["idToken"]
    answer = service.user("update", idToken=token, deleteProvider=["password"])
    assert answer.status == 200
    account = service.account(user["localId"])
    assert not {"email", "passwordHash", "salt", "emailVerified"} & set(account)
    assert account.get("providerUserInfo", []) == []
    service.sign_in(user["email"]).refused("EMAIL_NOT_FOUND")
    # The address is free again.
    assert service.sign_up(user["email"])["localId"] != user["localId"]


def test_a_person_without_a_password_has_none_to_sign_in_with(service, user):
    service.user("update", idToken=user["idToken"], deleteAttribute=["PASSWORD"])
    service.sign_in(user["email"]).refused("INVALID_PASSWORD")
    service.user("createAuthUri", identifier=user["email"], continueUri="http://a/").expect(
        "sessionId",
        kind="identitytoolkit#CreateAuthUriResponse",
        registered=True,
        allProviders=[],
        signinMethods=[],
    )
