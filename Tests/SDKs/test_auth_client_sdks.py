"""Clients of apps: the requests that Firebase's Web SDK sends, and a Python library for apps."""

import json

import pytest
import requests
from auth.service import (
    KEY,
    NEW_PASSWORD,
    PASSWORD,
    TOKENS,
    TOOLKIT,
    payload,
    service,
    unique_email,
)

# The headers of the Web SDK 10.12.2.
WEB = {
    "Content-Type": "application/json",
    "X-Client-Version": "Other/JsCore/10.12.2/FirebaseCore-web",
    "X-Firebase-gmpid": "1:1:web:1",
    "Origin": "http://localhost:5000",
}
CLIENT = {"clientType": "CLIENT_TYPE_WEB"}
SECURE = {"returnSecureToken": True}


class WebSDK:
    """Sends the requests that the Web SDK sends for each of its methods, and checks that the
    responses have the members that it reads."""

    def __init__(self, service):
        self.service = service

    def send(self, operation, **body):
        path = f"{TOOLKIT}/accounts:{operation}?key={KEY}"
        answer = self.service.send("POST", path, json.dumps(body).encode(), WEB)
        # Without these headers, a browser keeps the response from the app.
        assert answer.headers["Access-Control-Allow-Origin"] == WEB["Origin"]
        return answer

    def look(self, token):
        (user,) = self.send("lookup", idToken=token).expect(
            "users", kind="identitytoolkit#GetAccountInfoResponse"
        )["users"]
        times = {"createdAt", "lastLoginAt", "lastRefreshAt", "validSince"}
        assert {"localId", *times} <= set(user) <= {
            "localId", *times, "email", "emailVerified", "displayName", "photoUrl", "customAuth",
            "passwordHash", "passwordUpdatedAt", "salt", "providerUserInfo", "initialEmail",
        }  # fmt: skip
        return user


@pytest.fixture
def web(service):
    return WebSDK(service)


def test_a_person_uses_the_app(web, service):
    email = unique_email()
    # createUserWithEmailAndPassword
    user = web.send("signUp", **SECURE, email=email, password=PASSWORD, **CLIENT).expect(
        "localId", *TOKENS, kind="identitytoolkit#SignupNewUserResponse", email=email
    )
    assert user["expiresIn"] == "3600"
    assert web.look(user["idToken"])["providerUserInfo"][0]["providerId"] == "password"

    # updateProfile reads displayName, photoUrl and providerUserInfo.
    changed = {
        "kind": "identitytoolkit#SetAccountInfoResponse", "localId": user["localId"],
        "email": email, "emailVerified": False, "displayName": "N", "photoUrl": "http://x/y",
    }  # fmt: skip
    profile = web.send(
        "update", idToken=user["idToken"], displayName="N", photoUrl="http://x/y", **SECURE
    ).expect("passwordHash", "providerUserInfo", **changed)
    (provider,) = profile["providerUserInfo"]
    assert provider == {
        "providerId": "password", "rawId": email, "federatedId": email, "email": email,
        "displayName": "N", "photoUrl": "http://x/y",
    }  # fmt: skip

    # getIdToken(true)
    refreshed = service.refresh(grant_type="refresh_token", refresh_token=user["refreshToken"])
    fresh = refreshed.expect(
        "access_token", "id_token", "refresh_token", token_type="Bearer", expires_in="3600",
        user_id=user["localId"], project_id="12345",
    )  # fmt: skip
    assert payload(fresh["access_token"])["name"] == "N"

    # sendEmailVerification, sendPasswordResetEmail, fetchSignInMethodsForEmail
    sent = {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email}
    token = fresh["id_token"]
    web.send("sendOobCode", requestType="VERIFY_EMAIL", idToken=token).expect(**sent)
    reset = {"requestType": "PASSWORD_RESET", "email": email, **CLIENT}
    web.send("sendOobCode", **reset).expect(**sent)
    web.send("createAuthUri", identifier=email, continueUri="http://localhost:5000/").expect(
        "sessionId", kind="identitytoolkit#CreateAuthUriResponse", registered=True,
        allProviders=["password"], signinMethods=["password"],
    )  # fmt: skip

    # updatePassword
    answer = web.send("update", idToken=token, **SECURE, password=NEW_PASSWORD)
    web.look(answer.expect("passwordHash", "providerUserInfo", *TOKENS, **changed)["idToken"])

    # signInWithEmailAndPassword
    sign_in = {**SECURE, "email": email, **CLIENT}
    web.send("signInWithPassword", **sign_in, password=PASSWORD).refused("INVALID_PASSWORD")
    again = web.send("signInWithPassword", **sign_in, password=NEW_PASSWORD).expect(
        *TOKENS, kind="identitytoolkit#VerifyPasswordResponse", registered=True,
        localId=user["localId"], email=email, displayName="N",
    )  # fmt: skip
    assert web.look(again["idToken"])["photoUrl"] == "http://x/y"


def test_a_person_is_anonymous_at_first(web):
    # signInAnonymously
    user = web.send("signUp", **SECURE).expect(
        "localId", *TOKENS, kind="identitytoolkit#SignupNewUserResponse"
    )
    assert "providerUserInfo" not in web.look(user["idToken"])
    # linkWithCredential
    email = unique_email()
    members = {"idToken": user["idToken"], **SECURE, "email": email, "password": PASSWORD, **CLIENT}
    linked = web.send("signUp", **members).body
    assert linked["localId"] == user["localId"]
    assert web.look(linked["idToken"])["email"] == email


def test_a_server_signs_a_person_in(web):
    # signInWithCustomToken, with the short form of tokens that emulators accept.
    uid = unique_email()
    user = web.send("signInWithCustomToken", token=json.dumps({"uid": uid}), **SECURE).expect(
        *TOKENS, kind="identitytoolkit#VerifyCustomTokenResponse", isNewUser=True
    )
    account = web.look(user["idToken"])
    assert (account["localId"], account["customAuth"]) == (uid, True)


def test_a_browser_may_ask(service):
    headers = {
        "Origin": WEB["Origin"],
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-client-version,x-firebase-gmpid",
        "Access-Control-Request-Private-Network": "true",
    }
    answer = service.send("OPTIONS", f"{TOOLKIT}/accounts:signUp?key={KEY}", None, headers)
    assert answer.status in (200, 204)
    assert answer.headers["Access-Control-Allow-Origin"] == WEB["Origin"]
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert {"content-type", "x-client-version", "x-firebase-gmpid"} <= set(allowed.split(","))
    assert answer.headers["Access-Control-Allow-Private-Network"] == "true"


@pytest.fixture
def empyrebase(service, monkeypatch):
    """The library, whose requests to Google go to our service."""
    library = pytest.importorskip("empyrebase", reason="empyrebase needs Python 3.11")
    send = requests.Session.request

    def redirected(self, method, url, **options):
        assert url.startswith("https://")
        return send(self, method, url.replace("https://", f"http://{service.host}/", 1), **options)

    monkeypatch.setattr(requests.Session, "request", redirected)
    config = {
        "apiKey": KEY,
        "projectId": service.project,
        "authDomain": f"{service.project}.firebaseapp.com",
        "databaseURL": f"https://{service.project}.firebaseio.com",
        "storageBucket": f"{service.project}.appspot.com",
    }
    return library.initialize_app(config, skip_version_check=True).auth()


def test_empyrebase_signs_up_in_and_away(empyrebase, service):
    email = unique_email()
    created = empyrebase.create_user_with_email_and_password(email, PASSWORD)
    user = empyrebase.sign_in_with_email_and_password(email, PASSWORD)
    assert user["localId"] == created["localId"]
    empyrebase.update_profile(user["idToken"], display_name="Sarah")
    (found,) = empyrebase.get_account_info(user["idToken"])["users"]
    assert (found["email"], found["displayName"]) == (email, "Sarah")
    empyrebase.send_email_verification(user["idToken"])

    fresh = empyrebase.refresh(user["refreshToken"])
    assert fresh["userId"] == user["localId"]
    assert payload(fresh["idToken"])["name"] == "Sarah"
    empyrebase.send_password_reset_email(email)
    code = service.code(email, "PASSWORD_RESET")["oobCode"]
    empyrebase.verify_password_reset_code(code, NEW_PASSWORD)
    with pytest.raises(requests.HTTPError, match="INVALID_PASSWORD"):
        empyrebase.sign_in_with_email_and_password(email, PASSWORD)
    user = empyrebase.sign_in_with_email_and_password(email, NEW_PASSWORD)

    empyrebase.delete_user_account(user["idToken"])
    with pytest.raises(requests.HTTPError, match="EMAIL_NOT_FOUND"):
        empyrebase.sign_in_with_email_and_password(email, NEW_PASSWORD)


def test_empyrebase_signs_in_without_an_address(empyrebase):
    anonymous = empyrebase.sign_in_anonymous()
    assert payload(anonymous["idToken"])["provider_id"] == "anonymous"
    uid = unique_email()
    user = empyrebase.sign_in_with_custom_token(json.dumps({"uid": uid}))
    assert payload(user["idToken"])["sub"] == uid
    empyrebase.delete_user_account(user["idToken"])
