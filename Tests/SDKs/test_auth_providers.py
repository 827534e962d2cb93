"""Sign-in with Google, Apple and phone numbers, and the links between them and passwords."""

import json
import urllib.parse

import pytest
from auth.service import PASSWORD, TOKENS, payload, service, unique_email, unique_phone
from firestore.tokens import jwt

VERIFIED = "identitytoolkit#VerifyAssertionResponse"


def credential(provider="google.com", as_token=False, **claims):
    """Returns the body of a provider's credential, whose ID token is a JWT or plain JSON."""
    token = jwt(claims) if as_token else json.dumps(claims)
    return urllib.parse.urlencode({"id_token": token, "providerId": provider})


def sign_in(service, body, **members):
    return service.user(
        "signInWithIdp", postBody=body, requestUri="http://localhost", returnSecureToken=True,
        returnIdpCredential=True, **members,
    )  # fmt: skip


@pytest.mark.parametrize("as_token", [True, False])
@pytest.mark.parametrize("provider", ["google.com", "apple.com"])
def test_a_provider_signs_a_person_in(service, provider, as_token):
    email = unique_email()
    claims = {"sub": email, "email": email, "email_verified": True, "name": "Léa"}
    body = credential(provider, as_token, **claims)
    first = sign_in(service, body).body
    assert TOKENS <= set(first)
    assert (first["kind"], first["providerId"], first["email"]) == (VERIFIED, provider, email)
    assert (first["isNewUser"], first["emailVerified"]) == (True, True)
    claims = payload(first["idToken"])
    assert claims["firebase"] == {
        "identities": {provider: [email], "email": [email]},
        "sign_in_provider": provider,
    }
    again = sign_in(service, body).body
    assert again["localId"] == first["localId"] and "isNewUser" not in again
    account = service.account(first["localId"])
    assert (account["displayName"], account["emailVerified"]) == ("Léa", True)


def test_a_credential_may_come_in_the_address(service):
    body = credential("Google.com", sub=unique_email())
    answer = service.user("signInWithIdp", requestUri=f"http://localhost/#{body}")
    assert answer.body["providerId"] == "google.com"
    answer = service.user("signInWithIdp", requestUri=f"http://localhost/?{body}", postBody="")
    assert "isNewUser" not in answer.body


def test_a_linked_identity_has_its_own_id(service):
    uid = unique_email()
    answer = sign_in(service, credential(sub=uid)).body
    assert answer["federatedId"] == f"https://accounts.google.com/{uid}"
    (provider,) = service.account(answer["localId"])["providerUserInfo"]
    assert provider == {"providerId": "google.com", "rawId": uid, "federatedId": uid}


def test_a_new_password_counts_as_the_way_of_signing_in(service):
    email = unique_email()
    user = sign_in(service, credential(sub=email, email=email, email_verified=True)).body
    changed = service.user("update", idToken=user["idToken"], password=PASSWORD).body
    assert payload(changed["idToken"])["firebase"]["sign_in_provider"] == "password"


def test_a_person_who_must_exist_is_not_created(service):
    body = credential(sub=unique_email())
    sign_in(service, body, autoCreate=False).refused("USER_NOT_FOUND")
    created = sign_in(service, body).body
    assert sign_in(service, body, autoCreate=False).body["localId"] == created["localId"]


def test_of_several_links_to_a_provider_the_last_counts(service):
    uid = unique_email()
    links = [{"providerId": "google.com", "rawId": f"{uid}-{n}"} for n in range(3)]
    service.admin("/accounts:batchCreate", users=[{"localId": uid, "providerUserInfo": links}])
    assert service.account(uid)["providerUserInfo"] == links[2:]


def test_a_verified_address_leads_to_its_account(service):
    user = service.sign_up(displayName="Somebody")
    members = {"idToken": user["idToken"], "photoUrl": "http://somebody"}
    assert service.user("update", **members).status == 200
    claims = {"sub": user["localId"], "email": user["email"], "name": "Owner"}
    unverified = sign_in(service, credential(**claims)).body
    assert unverified["needConfirmation"] is True
    assert unverified["verifiedProvider"] == ["password"]
    assert not TOKENS & set(unverified)
    verified = sign_in(service, credential(**claims, email_verified=True)).body
    assert verified["localId"] == user["localId"]
    # Whoever has chosen the password and the name never proved that the address is theirs.
    service.sign_in(user["email"]).refused("INVALID_PASSWORD")
    account = service.account(user["localId"])
    assert account["displayName"] == "Owner" and "photoUrl" not in account


def test_a_provider_is_linked_with_one_account(service):
    user, other = service.sign_up(), service.sign_up()
    body = credential(sub=user["localId"])
    linked = sign_in(service, body, idToken=user["idToken"]).body
    assert linked["localId"] == user["localId"]
    assert sign_in(service, body).body["localId"] == user["localId"]
    refused = sign_in(service, body, idToken=other["idToken"]).body
    assert refused["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED"
    taken = credential(sub=other["localId"], email=user["email"])
    refused = sign_in(service, taken, idToken=other["idToken"]).body
    assert refused["errorMessage"] == "EMAIL_EXISTS"
    providers = [each["providerId"] for each in service.account(user["localId"])["providerUserInfo"]]
    assert providers == ["password", "google.com"]
    service.user("update", idToken=linked["idToken"], deleteProvider=["google.com"])
    assert sign_in(service, body).body["localId"] != user["localId"]


def test_a_linked_identity_with_the_same_address_leaves_the_password(service):
    user = service.sign_up()
    body = credential(sub=user["localId"], email=user["email"], email_verified=True)
    assert sign_in(service, body, idToken=user["idToken"]).body["localId"] == user["localId"]
    account = service.account(user["localId"])
    assert [each["providerId"] for each in account["providerUserInfo"]] == ["password", "google.com"]
    assert account["emailVerified"] is True
    assert service.sign_in(user["email"]).body["localId"] == user["localId"]


@pytest.mark.parametrize(
    "members, message",
    [
        ({"postBody": credential(sub="1")}, "MISSING_REQUEST_URI"),
        ({"postBody": credential(sub="1"), "requestUri": "here"}, "INVALID_REQUEST_URI"),
        ({"postBody": credential(email="a@b.c"), "requestUri": "http://localhost"}, "INVALID_IDP_RESPONSE"),
        ({"postBody": "id_token=x&providerId=google.com", "requestUri": "http://localhost"}, "INVALID_IDP_RESPONSE"),
        ({"postBody": "id_token=%7B%7D", "requestUri": "http://localhost"}, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
        ({"requestUri": "http://localhost"}, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
    ],
)  # fmt: skip
def test_a_credential_is_refused(service, members, message):
    answer = service.user("signInWithIdp", **members)
    assert answer.status == 400
    assert answer.body["error"]["message"].split(" : ")[0] == message


@pytest.mark.parametrize("provider", ["saml.office", "oidc.office"])
def test_other_protocols_refuse_by_name(service, provider):
    message = sign_in(service, credential(provider, sub="1")).failed(501, "NOT_IMPLEMENTED")
    assert provider in message


def send_code(service, number):
    return service.user("sendVerificationCode", phoneNumber=number).expect("sessionInfo")


def code_of(service, session):
    codes = service.emulator("GET", "verificationCodes").body["verificationCodes"]
    (found,) = [each for each in codes if each["sessionInfo"] == session]
    return found


def test_a_phone_signs_a_person_in(service):
    number = unique_phone()
    session = send_code(service, number)["sessionInfo"]
    sent = code_of(service, session)
    assert sent["phoneNumber"] == number
    assert len(sent["code"]) == 6 and sent["code"].isdigit()
    wrong = "111111" if sent["code"] == "000000" else "000000"
    service.user("signInWithPhoneNumber", sessionInfo=session, code=wrong).refused("INVALID_CODE")
    members = {"sessionInfo": session, "code": sent["code"]}
    user = service.user("signInWithPhoneNumber", **members).expect(
        "localId", *TOKENS, phoneNumber=number, isNewUser=True
    )
    claims = payload(user["idToken"])
    assert claims["phone_number"] == number
    assert claims["firebase"]["sign_in_provider"] == "phone"
    service.user("signInWithPhoneNumber", **members).refused("INVALID_SESSION_INFO")

    session = send_code(service, number)["sessionInfo"]
    code = code_of(service, session)["code"]
    again = service.user("signInWithPhoneNumber", sessionInfo=session, code=code).body
    assert (again["localId"], again["isNewUser"]) == (user["localId"], False)


def test_a_phone_is_linked_with_one_account(service):
    user, other, number = service.sign_up(), service.sign_up(), unique_phone()

    def link(token):
        session = send_code(service, number)["sessionInfo"]
        code = code_of(service, session)["code"]
        return service.user("signInWithPhoneNumber", sessionInfo=session, code=code, idToken=token)

    assert link(user["idToken"]).body["localId"] == user["localId"]
    assert service.account(user["localId"])["phoneNumber"] == number
    proof = link(other["idToken"]).expect(
        "temporaryProof", phoneNumber=number, temporaryProofExpiresIn="3600"
    )["temporaryProof"]
    # The proof signs in to the account that has the number.
    members = {"phoneNumber": number, "temporaryProof": proof}
    assert service.user("signInWithPhoneNumber", **members).body["localId"] == user["localId"]
    service.user("signInWithPhoneNumber", **members).refused("INVALID_TEMPORARY_PROOF")
    proof = link(other["idToken"]).body["temporaryProof"]
    members = {"phoneNumber": number, "temporaryProof": proof, "idToken": other["idToken"]}
    service.user("signInWithPhoneNumber", **members).refused("PHONE_NUMBER_EXISTS")


@pytest.mark.parametrize("number", ["", "390123", None])
def test_a_number_is_refused(service, number):
    answer = service.user("sendVerificationCode", phoneNumber=number)
    answer.refused("INVALID_PHONE_NUMBER : Invalid format.")


@pytest.mark.parametrize(
    "members, message",
    [
        ({}, "MISSING_SESSION_INFO"),
        ({"sessionInfo": "x"}, "MISSING_CODE"),
        ({"sessionInfo": "x", "code": "1"}, "INVALID_SESSION_INFO"),
        ({"temporaryProof": "x"}, "MISSING_PHONE_NUMBER"),
        ({"temporaryProof": "x", "phoneNumber": "+1"}, "INVALID_TEMPORARY_PROOF"),
    ],
)
def test_a_sign_in_by_phone_is_refused(service, members, message):
    service.user("signInWithPhoneNumber", **members).refused(message)


def test_a_disabled_person_is_refused_by_every_way(service):
    email, number = unique_email(), unique_phone()
    user = sign_in(service, credential(sub=email, email=email)).body
    service.admin(
        "/accounts:update", localId=user["localId"], phoneNumber=number, password=PASSWORD,
        disableUser=True,
    )  # fmt: skip
    sign_in(service, credential(sub=email, email=email)).refused("USER_DISABLED")
    session = send_code(service, number)["sessionInfo"]
    code = code_of(service, session)["code"]
    answer = service.user("signInWithPhoneNumber", sessionInfo=session, code=code)
    answer.refused("USER_DISABLED")
    service.user("signInWithCustomToken", token=json.dumps({"uid": user["localId"]})).refused(
        "USER_DISABLED"
    )
