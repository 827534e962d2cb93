"""Each operation that servers call with an administrator's token, over plain HTTP."""

import json
import uuid

import pytest
from auth.service import (
    PASSWORD,
    TOKENS,
    payload,
    service,
    unique_email,
    unique_phone,
)

FORBIDDEN = (
    "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
    "auth_time", "firebase", "at_hash", "c_hash",
)  # fmt: skip
UPLOADED = "identitytoolkit#UploadAccountResponse"
INVALID_PHONE = "INVALID_PHONE_NUMBER : Invalid format."


def unique_id():
    return uuid.uuid4().hex


@pytest.fixture
def person(service):
    """An account with an address, a phone number and a name."""
    uid, email, phone = unique_id(), unique_email(), unique_phone()
    members = {"email": email, "displayName": "Sarah"}
    created = service.admin("/accounts", localId=uid, phoneNumber=phone, **members)
    created.expect(kind="identitytoolkit#SignupNewUserResponse", localId=uid, **members)
    return service.account(uid)


def test_a_created_account_has_all_members_and_no_tokens(service):
    uid, email, phone = unique_id(), unique_email(), unique_phone()
    members = {"displayName": "Zoë 😀", "photoUrl": "http://x/y"}
    answer = service.admin(
        "/accounts",
        **{"localId": uid, "email": email, "password": PASSWORD, "phoneNumber": phone},
        **{"emailVerified": True, "disabled": True, **members},
    )
    assert answer.status == 200 and not TOKENS & set(answer.body)
    account = service.account(uid)
    assert {"emailVerified": True, "disabled": True, **members}.items() <= account.items()
    address = {name: email for name in ("email", "federatedId", "rawId")}
    assert sorted(account["providerUserInfo"], key=lambda info: info["providerId"]) == [
        {"providerId": "password", **address, **members},
        {"providerId": "phone", "phoneNumber": phone, "rawId": phone},
    ]


def test_an_account_needs_nothing_but_itself(service):
    answer = service.admin("/accounts")
    uid = answer.expect("kind", "localId")["localId"]
    assert set(service.account(uid)) == {"localId", "emailVerified", "createdAt", "validSince"}


@pytest.mark.parametrize(
    "member, of, message",
    [
        ("localId", "localId", "DUPLICATE_LOCAL_ID"),
        ("email", "email", "EMAIL_EXISTS"),
        ("phoneNumber", "phoneNumber", "PHONE_NUMBER_EXISTS"),
    ],
)
def test_accounts_share_nothing(service, person, member, of, message):
    email = unique_email()
    service.admin("/accounts", **{"email": email, member: person[of]}).refused(message)
    if member != "email":
        assert service.admin("/accounts:lookup", email=[email]).body.get("users") is None
    if member != "localId":
        other = service.admin("/accounts").body["localId"]
        before = service.account(other)
        changes = {"displayName": "Changed", member: person[of]}
        service.admin("/accounts:update", localId=other, **changes).refused(message)
        assert service.account(other) == before


@pytest.mark.parametrize(
    "members, message",
    [
        ({"email": "sarah"}, "INVALID_EMAIL"),
        ({"phoneNumber": "0039123"}, INVALID_PHONE),
        ({"password": "12345"}, "WEAK_PASSWORD : Password should be at least 6 characters"),
    ],
)
def test_wrong_members_are_refused(service, person, members, message):
    service.admin("/accounts", **members).refused(message)
    answer = service.admin("/accounts:update", localId=person["localId"], **members)
    answer.refused(message)
    assert service.account(person["localId"]) == person


def test_an_id_can_not_be_given_to_the_owner_of_a_token(service):
    token = service.sign_up()["idToken"]
    answer = service.admin("/accounts", idToken=token, localId=unique_id())
    answer.refused("UNEXPECTED_PARAMETER : User ID")


def test_accounts_are_found_by_every_identifier_and_once(service, person):
    other = service.account(service.admin("/accounts").body["localId"])
    asked = {
        "localId": [person["localId"], "nobody", other["localId"], other["localId"]],
        "email": [person["email"], "nobody@example.com"],
        "phoneNumber": [person["phoneNumber"], "+1"],
        "federatedUserId": [{"providerId": "google.com", "rawId": "nobody"}, {}],
    }
    kind = "identitytoolkit#GetAccountInfoResponse"
    answer = service.admin("/accounts:lookup", **asked)
    assert answer.expect("users", kind=kind)["users"] == [person, other]
    for identifier in ("email", "phoneNumber"):
        one = service.admin("/accounts:lookup", **{identifier: [person[identifier]]})
        assert one.expect("users", kind=kind)["users"] == [person]
    service.admin("/accounts:lookup", localId=["nobody"]).expect(kind=kind)
    service.admin("/accounts:lookup").expect(kind=kind)


@pytest.mark.parametrize("operation", ["update", "delete"])
def test_the_account_of_a_change_is_named_and_exists(service, operation):
    service.admin(f"/accounts:{operation}").refused("MISSING_LOCAL_ID")
    service.admin(f"/accounts:{operation}", localId="").refused("MISSING_LOCAL_ID")
    service.admin(f"/accounts:{operation}", localId="nobody").refused("USER_NOT_FOUND")


@pytest.mark.parametrize(
    "claims, message",
    [
        (json.dumps({"c": "x" * 992}), "CLAIMS_TOO_LARGE"),
        ("{", "INVALID_CLAIMS"),
        ("[]", "INVALID_CLAIMS"),
        ("7", "INVALID_CLAIMS"),
        ("null", "INVALID_CLAIMS"),
        *((json.dumps({name: 1}), f"FORBIDDEN_CLAIM : {name}") for name in FORBIDDEN),
    ],
)
def test_claims_are_refused(service, person, claims, message):
    answer = service.admin(
        "/accounts:update", localId=person["localId"], displayName="X", customAttributes=claims
    )
    answer.refused(message)
    assert service.account(person["localId"]) == person


def test_claims_of_a_thousand_characters_are_kept_as_they_are(service, person):
    claims = json.dumps({"c": "x" * 991})
    assert len(claims) == 1000
    service.admin("/accounts:update", localId=person["localId"], customAttributes=claims)
    assert service.account(person["localId"])["customAttributes"] == claims


def test_a_provider_is_linked_and_unlinked(service, person):
    uid = person["localId"]
    google = {"providerId": "google.com", "rawId": unique_id(), "displayName": "Sarah"}
    service.admin("/accounts:update", localId=uid, linkProviderUserInfo=google)
    identity = {"providerId": "google.com", "rawId": google["rawId"]}
    (found,) = service.admin("/accounts:lookup", federatedUserId=[identity]).body["users"]
    assert google in found["providerUserInfo"]
    service.admin("/accounts:update", localId=uid, deleteProvider=["google.com", "phone"])
    account = service.account(uid)
    assert account.get("providerUserInfo", []) == []
    assert "phoneNumber" not in account
    assert service.admin("/accounts:lookup", federatedUserId=[identity]).body.get("users") is None


def test_accounts_are_imported_with_an_error_for_each_bad_one(service, person):
    uid, email = unique_id(), unique_email()
    long = json.dumps({"c": "x" * 1000})
    users = [
        {"localId": uid, "email": email, "rawPassword": PASSWORD, "createdAt": 1500000000000},
        {"email": unique_email()},
        {"localId": person["localId"], "displayName": "Changed"},
        {"localId": unique_id(), "email": "sarah"},
        {"localId": unique_id(), "phoneNumber": "123"},
        {"localId": unique_id(), "customAttributes": "[]"},
        {"localId": unique_id(), "customAttributes": long},
        {"localId": unique_id(), "customAttributes": '{"sub": 1}'},
    ]
    errors = service.admin("/accounts:batchCreate", users=users).expect("error", kind=UPLOADED)
    assert errors["error"] == [
        {"index": 1, "message": "localId is missing"},
        {"index": 2, "message": "localId belongs to an existing account - can not overwrite."},
        {"index": 3, "message": "email is invalid"},
        {"index": 4, "message": "phone number format is invalid"},
        {"index": 5, "message": "Invalid custom claims provided."},
        {"index": 6, "message": "Custom claims provided are too large."},
        {"index": 7, "message": "Custom claims provided include a reserved claim."},
    ]
    assert service.account(person["localId"]) == person
    assert service.account(uid)["createdAt"] == "1500000000000"
    assert service.sign_in(email).body["localId"] == uid
    for user in users[3:]:
        assert service.account(user["localId"]) is None

    overwritten = {"localId": uid, "displayName": "New"}
    answer = service.admin("/accounts:batchCreate", users=[overwritten], allowOverwrite=True)
    answer.expect(kind=UPLOADED, error=[])
    account = service.account(uid)
    assert account["displayName"] == "New" and "email" not in account


def test_an_import_names_an_account_once(service):
    service.admin("/accounts:batchCreate").refused("MISSING_USER_ACCOUNT")
    service.admin("/accounts:batchCreate", users=[]).refused("MISSING_USER_ACCOUNT")
    uid, email = unique_id(), unique_email()
    answer = service.admin("/accounts:batchCreate", users=[{"localId": uid}, {"localId": uid}])
    answer.refused(f"DUPLICATE_LOCAL_ID : {uid}")
    twice = [{"localId": unique_id(), "email": email} for _ in range(2)]
    answer = service.admin("/accounts:batchCreate", users=twice, sanityCheck=True)
    answer.refused(f"DUPLICATE_EMAIL : {email}")
    assert service.account(uid) is None


def test_only_disabled_accounts_are_deleted_without_force(service, person):
    disabled = service.admin("/accounts", disabled=True).body["localId"]
    ids = [disabled, "nobody", person["localId"]]
    message = "NOT_DISABLED : Disable the account before batch deletion."
    answer = service.admin("/accounts:batchDelete", localIds=ids)
    answer.expect(errors=[{"index": 2, "localId": person["localId"], "message": message}])
    assert service.account(disabled) is None
    service.admin("/accounts:batchDelete", localIds=ids, force=True).expect()
    assert service.account(person["localId"]) is None


@pytest.mark.parametrize("count", [0, 1001])
def test_a_deletion_has_a_thousand_accounts_at_most(service, count):
    answer = service.admin("/accounts:batchDelete", localIds=["nobody"] * count, force=True)
    answer.refused("LOCAL_ID_LIST_EXCEEDS_LIMIT")


def test_a_session_cookie_has_the_claims_of_its_token(service):
    token = service.sign_up()["idToken"]
    for duration in (300, "300", 1_209_600):
        answer = service.admin(":createSessionCookie", idToken=token, validDuration=duration)
        cookie = payload(answer.expect("sessionCookie")["sessionCookie"])
        assert cookie["exp"] - cookie["iat"] == int(duration)
        issuer = f"https://session.firebase.google.com/{service.project}"
        times = {name: cookie[name] for name in ("iat", "exp")}
        assert cookie == {**payload(token), "iss": issuer, **times}
    for duration in (299, 1_209_601, -1):
        answer = service.admin(":createSessionCookie", idToken=token, validDuration=duration)
        answer.refused("INVALID_DURATION")
    service.admin(":createSessionCookie", validDuration=300).refused("MISSING_ID_TOKEN")
    answer = service.admin(":createSessionCookie", idToken="x", validDuration=300)
    answer.refused("INVALID_ID_TOKEN")
