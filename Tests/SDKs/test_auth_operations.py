"""Each operation that apps call: accounts, sign-in, profiles and tokens, over plain HTTP."""

import json
import re

import pytest
from auth.service import (
    KEY,
    NEW_PASSWORD,
    PASSWORD,
    TOKENS,
    payload,
    service,
    unique_email,
    unsigned,
)

WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
UNSUPPORTED = "INVALID_REQ_TYPE : Unsupported request parameters."
SIGNED_UP = "identitytoolkit#SignupNewUserResponse"
UPDATED = "identitytoolkit#SetAccountInfoResponse"
FOUND = "identitytoolkit#GetAccountInfoResponse"
AUDIENCE = (
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
)


def found(service, token):
    (user,) = service.user("lookup", idToken=token).expect("users", kind=FOUND)["users"]
    return user


def test_a_person_signs_up_with_an_email_address(service):
    email = unique_email()
    answer = service.user("signUp", email=email, password=PASSWORD, displayName="Sarah")
    user = answer.expect(
        "localId", "idToken", "refreshToken",
        kind=SIGNED_UP, email=email, displayName="Sarah", expiresIn="3600",
    )  # fmt: skip
    assert re.fullmatch("[A-Za-z0-9]{28}", user["localId"])
    claims = payload(user["idToken"])
    assert claims == {
        "name": "Sarah",
        "email": email,
        "email_verified": False,
        "auth_time": claims["auth_time"],
        "user_id": user["localId"],
        "firebase": {"identities": {"email": [email]}, "sign_in_provider": "password"},
        "iat": claims["iat"],
        "exp": claims["iat"] + 3600,
        "aud": service.project,
        "iss": f"https://securetoken.google.com/{service.project}",
        "sub": user["localId"],
    }
    assert claims["iat"] - 5 <= claims["auth_time"] <= claims["iat"]


def test_a_new_account_is_found_with_its_first_token(service):
    user = service.sign_up()
    account = found(service, user["idToken"])
    address = {key: user["email"] for key in ("email", "federatedId", "rawId")}
    assert account == service.account(user["localId"])
    assert set(account) == {
        "localId", "email", "emailVerified", "passwordHash", "salt", "passwordUpdatedAt",
        "validSince", "createdAt", "lastLoginAt", "lastRefreshAt", "providerUserInfo",
    }  # fmt: skip
    assert account["providerUserInfo"] == [{"providerId": "password", **address}]
    assert account["passwordHash"] == f"fakeHash:salt={account['salt']}:password={PASSWORD}"
    assert re.fullmatch("fakeSalt[A-Za-z0-9]{20}", account["salt"])
    assert account["emailVerified"] is False
    assert isinstance(account["passwordUpdatedAt"], int)
    assert re.fullmatch(r"\d{10}", account["validSince"])
    assert re.fullmatch(r"\d{13}", account["createdAt"])
    assert re.fullmatch(r"\d{13}", account["lastLoginAt"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", account["lastRefreshAt"])


@pytest.mark.parametrize(
    "members, message",
    [
        ({"password": PASSWORD}, "MISSING_EMAIL"),
        ({"email": "", "password": PASSWORD}, "MISSING_EMAIL"),
        ({"email": "sarah@example.com"}, "MISSING_PASSWORD"),
        ({"email": "sarah@example.com", "password": ""}, "MISSING_PASSWORD"),
        ({"email": "sarah", "password": PASSWORD}, "INVALID_EMAIL"),
        ({"email": "a@b@c", "password": PASSWORD}, "INVALID_EMAIL"),
        ({"email": "@example.com", "password": PASSWORD}, "INVALID_EMAIL"),
        ({"email": "weak@example.com", "password": "12345"}, WEAK),
        ({"localId": "mine"}, "UNEXPECTED_PARAMETER : User ID"),
        ({"idToken": "a.b.c", "email": "a@b.c", "password": PASSWORD}, "INVALID_ID_TOKEN"),
    ],
)
def test_a_sign_up_is_refused(service, members, message):
    service.user("signUp", **members).refused(message)


def test_an_address_has_one_account_whatever_its_case(service):
    email = unique_email()
    user = service.sign_up(email.upper())
    assert user["email"] == email
    service.user("signUp", email=email.title(), password=PASSWORD).refused("EMAIL_EXISTS")
    assert service.sign_in(email.upper()).body["localId"] == user["localId"]


def test_an_anonymous_person_gets_an_account_and_upgrades_it(service):
    answer = service.user("signUp", returnSecureToken=True)
    user = answer.expect("localId", "idToken", "refreshToken", kind=SIGNED_UP, expiresIn="3600")
    claims = payload(user["idToken"])
    assert claims["provider_id"] == "anonymous"
    assert claims["firebase"] == {"identities": {}, "sign_in_provider": "anonymous"}
    account = found(service, user["idToken"])
    assert set(account) == {"localId", "validSince", "createdAt", "lastLoginAt", "lastRefreshAt"}

    email = unique_email()
    upgraded = service.sign_up(email, idToken=user["idToken"])
    assert upgraded["localId"] == user["localId"]
    claims = payload(upgraded["idToken"])
    assert "provider_id" not in claims
    assert claims["firebase"]["sign_in_provider"] == "password"
    assert service.sign_in(email).body["localId"] == user["localId"]


def test_an_anonymous_person_can_not_take_an_address(service):
    taken = service.sign_up()["email"]
    user = service.user("signUp").body
    answer = service.user("signUp", idToken=user["idToken"], email=taken, password=PASSWORD)
    answer.refused("EMAIL_EXISTS")
    assert "email" not in found(service, user["idToken"])


def test_a_person_signs_in_with_a_password(service):
    user = service.sign_up()
    service.sign_in(user["email"]).expect(
        "idToken", "refreshToken",
        kind="identitytoolkit#VerifyPasswordResponse", registered=True, expiresIn="3600",
        localId=user["localId"], email=user["email"], displayName="",
    )  # fmt: skip


@pytest.mark.parametrize(
    "members, message",
    [
        ({"password": PASSWORD}, "MISSING_EMAIL"),
        ({"email": "sarah", "password": PASSWORD}, "INVALID_EMAIL"),
        ({"email": "nobody@example.com", "password": PASSWORD}, "EMAIL_NOT_FOUND"),
        ({"email": "nobody@example.com"}, "MISSING_PASSWORD"),
    ],
)
def test_a_sign_in_is_refused(service, members, message):
    service.user("signInWithPassword", **members).refused(message)


def test_a_wrong_password_and_a_disabled_account_are_told_apart(service):
    user = service.sign_up()
    service.sign_in(user["email"], PASSWORD.upper()).refused("INVALID_PASSWORD")
    service.admin("/accounts:update", localId=user["localId"], disableUser=True)
    service.sign_in(user["email"]).refused("USER_DISABLED")
    service.user("lookup", idToken=user["idToken"]).refused("USER_DISABLED")
    service.user("update", idToken=user["idToken"], displayName="S").refused("USER_DISABLED")
    refreshed = service.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"])
    refreshed.refused("USER_DISABLED")
    custom = service.user("signInWithCustomToken", token=json.dumps({"uid": user["localId"]}))
    custom.refused("USER_DISABLED")


@pytest.mark.parametrize("in_claim", ["uid", "user_id"])
def test_a_custom_token_signs_in_and_creates_an_account_once(service, in_claim):
    uid = f"custom-{unique_email()}"
    token = json.dumps({in_claim: uid, "claims": {"role": "guide"}})
    kind = "identitytoolkit#VerifyCustomTokenResponse"
    first = service.user("signInWithCustomToken", token=token, returnSecureToken=True)
    user = first.expect("idToken", "refreshToken", kind=kind, isNewUser=True, expiresIn="3600")
    claims = payload(user["idToken"])
    assert (claims["sub"], claims["role"]) == (uid, "guide")
    assert claims["firebase"] == {"identities": {}, "sign_in_provider": "custom"}
    assert found(service, user["idToken"])["customAuth"] is True
    again = service.user("signInWithCustomToken", token=token)
    again.expect("idToken", "refreshToken", kind=kind, isNewUser=False, expiresIn="3600")
    refreshed = service.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"])
    assert payload(refreshed.body["id_token"])["role"] == "guide"


INVALID = "INVALID_CUSTOM_TOKEN : "


@pytest.mark.parametrize(
    "token, message",
    [
        (None, "MISSING_CUSTOM_TOKEN"),
        ("", "MISSING_CUSTOM_TOKEN"),
        ("not a token", INVALID + "Invalid assertion format"),
        ("{}", "MISSING_IDENTIFIER"),
        ('{"uid": "u", "claims": []}', "INVALID_CLAIMS"),
        ('{"uid": "u", "claims": {"sub": "v"}}', "FORBIDDEN_CLAIM : sub"),
        ('{"uid": "u", "claims": {"firebase": {}}}', "FORBIDDEN_CLAIM : firebase"),
        (unsigned("", "p", aud=AUDIENCE, uid=None, user_id=None), "MISSING_IDENTIFIER"),
    ],
)
def test_a_custom_token_is_refused(service, token, message):
    members = {} if token is None else {"token": token}
    service.user("signInWithCustomToken", **members).refused(message)


def test_an_id_token_is_no_custom_token(service):
    answer = service.user("signInWithCustomToken", token=service.sign_up()["idToken"])
    error = answer.body["error"]
    assert answer.status == 400
    assert error["message"].startswith(f"{INVALID}((Invalid aud (audience): {service.project} ")


def test_a_profile_changes_without_new_tokens(service):
    user = service.sign_up()
    answer = service.user(
        "update", idToken=user["idToken"], displayName="Zoë", photoUrl="http://x/y"
    )
    profile = {"displayName": "Zoë", "photoUrl": "http://x/y"}
    body = answer.expect(
        "passwordHash", "providerUserInfo",
        kind=UPDATED, localId=user["localId"], email=user["email"], emailVerified=False, **profile,
    )  # fmt: skip
    assert profile.items() <= body["providerUserInfo"][0].items()
    removed = service.user(
        "update", idToken=user["idToken"], deleteAttribute=["DISPLAY_NAME", "PHOTO_URL"]
    )
    assert not {"displayName", "photoUrl"} & set(removed.body)
    assert not {"displayName", "photoUrl"} & set(found(service, user["idToken"]))


@pytest.mark.parametrize("member", ["password", "email"])
def test_a_new_password_or_address_gives_new_tokens(service, member):
    user = service.sign_up()
    value = NEW_PASSWORD if member == "password" else unique_email()
    answer = service.user("update", idToken=user["idToken"], **{member: value})
    assert answer.status == 200 and TOKENS <= set(answer.body)
    assert found(service, answer.body["idToken"])["localId"] == user["localId"]
    email, password = answer.body["email"], value if member == "password" else PASSWORD
    assert service.sign_in(email, password).body["localId"] == user["localId"]
    old = "INVALID_PASSWORD" if member == "password" else "EMAIL_NOT_FOUND"
    service.sign_in(user["email"]).refused(old)
