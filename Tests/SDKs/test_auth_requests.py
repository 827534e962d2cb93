"""Requests to the Authentication service as such: paths, credentials, members, bad input."""

import json

import pytest
from auth.service import (
    KEY,
    NEW_PASSWORD,
    OWNER,
    PASSWORD,
    RELYING_PARTY,
    TOOLKIT,
    payload,
    service,
    unique_email,
)

JSON = {"Content-Type": "application/json"}
TOOLKIT_2 = "/identitytoolkit.googleapis.com/v2"
SIGN_UP = f"{TOOLKIT}/accounts:signUp?key={KEY}"
APPS = (
    "signUp", "signInWithPassword", "signInWithCustomToken", "lookup", "update", "delete",
    "sendOobCode", "resetPassword", "createAuthUri",
)  # fmt: skip
SERVERS = (
    "/accounts", "/accounts:lookup", "/accounts:update", "/accounts:delete",
    "/accounts:batchCreate", "/accounts:batchDelete", "/accounts:query", ":createSessionCookie",
)  # fmt: skip
NAMES = [
    "Zoë 😀", "李小龙", "محمد علي", "שָׁלוֹם", "Пётр", "ナルト", "한국어", "ไทย", "தமிழ்", "𓀀𐍈",
    "e\u0301\u0327 a\u0300", "👩‍👩‍👧‍👦🇮🇹", "\u202eevil\u202c", "tab\tnew\nline", "\u0000nul", " ",
    '"quoted" \\ <b>&amp;</b>',
]  # fmt: skip


def test_apps_find_their_operations_under_the_names_of_ios(service):
    email, new = unique_email(), unique_email()
    user = service.ios("signupNewUser", email=email, password=PASSWORD).body
    token = user["idToken"]
    signed_in = service.ios("verifyPassword", email=email, password=PASSWORD).body
    assert signed_in["localId"] == user["localId"]
    (account,) = service.ios("getAccountInfo", idToken=token).body["users"]
    assert account == service.account(user["localId"])
    assert service.ios("setAccountInfo", idToken=token, displayName="S").body["displayName"] == "S"
    known = service.ios("createAuthUri", identifier=email, continueUri="http://localhost/").body
    assert known["signinMethods"] == ["password"]
    service.ios("getOobConfirmationCode", requestType="PASSWORD_RESET", email=email)
    code = service.code(email, "PASSWORD_RESET")["oobCode"]
    reset = service.ios("resetPassword", oobCode=code, newPassword=NEW_PASSWORD)
    assert reset.body["email"] == email
    service.ios("getOobConfirmationCode", requestType="EMAIL_SIGNIN", email=new)
    code = service.code(new, "EMAIL_SIGNIN")["oobCode"]
    assert service.ios("emailLinkSignin", oobCode=code, email=new).body["isNewUser"] is True
    custom = json.dumps({"uid": user["localId"]})
    token = service.ios("verifyCustomToken", token=custom).body["idToken"]
    assert payload(token)["sub"] == user["localId"]
    assert service.ios("deleteAccount", idToken=token).status == 200
    assert service.account(user["localId"]) is None


def test_administrators_find_operations_under_older_names(service):
    uid, email = unique_email(), unique_email()
    project = {"targetProjectId": service.project}

    def ask(name, **members):
        return service.ask("POST", f"{RELYING_PARTY}/{name}", members, OWNER)

    uploaded = ask("uploadAccount", **project, users=[{"localId": uid, "email": email}])
    uploaded.expect(kind="identitytoolkit#UploadAccountResponse", error=[])
    page = ask("downloadAccount", **project, maxResults=1)
    page.expect("users", "nextPageToken", kind="identitytoolkit#DownloadAccountResponse")
    ask("downloadAccount").refused("INSUFFICIENT_PERMISSION")


def test_a_link_to_an_operation_changes_nothing(service):
    """Any site can open a link to the emulator in a new tab."""
    email, user = unique_email(), service.sign_up()
    for query in (f"signupNewUser?email={email}&password={PASSWORD}", f"deleteAccount?idToken={user['idToken']}"):
        path = f"{RELYING_PARTY}/{query.replace(' ', '+')}&key={KEY}"
        service.ask("GET", path).failed(404, "NOT_FOUND")
    service.sign_in(email).refused("EMAIL_NOT_FOUND")
    assert service.account(user["localId"])


def test_apps_ask_for_the_project(service):
    for path in (f"{TOOLKIT}/projects", f"{RELYING_PARTY}/getProjectConfig"):
        answer = service.ask("GET", f"{path}?key={KEY}")
        answer.expect(projectId="12345", authorizedDomains=["localhost"])
    for path in (f"{TOOLKIT}/recaptchaParams", f"{RELYING_PARTY}/getRecaptchaParam"):
        answer = service.ask("GET", f"{path}?key={KEY}")
        kind = "identitytoolkit#GetRecaptchaParamResponse"
        answer.expect("recaptchaStoken", "recaptchaSiteKey", kind=kind)


def test_members_have_names_with_underscores_or_capitals(service):
    email = unique_email()
    user = service.user("signUp", email=email, password=PASSWORD, display_name="Sarah").body
    assert user["displayName"] == "Sarah"
    members = {"id_token": user["idToken"], "delete_attribute": ["DISPLAY_NAME"], "photo_url": "p"}
    assert service.user("update", **members).body["photoUrl"] == "p"
    assert "displayName" not in service.account(user["localId"])
    link = {"provider_id": "google.com", "raw_id": email}
    service.admin("/accounts:update", local_id=user["localId"], link_provider_user_info=link)
    found = service.admin("/accounts:lookup", federated_user_id=[link]).body["users"]
    assert [account["localId"] for account in found] == [user["localId"]]


def test_unknown_members_are_ignored(service):
    unknown = {"nobody": {"knows": [None, 1]}, "clientType": "CLIENT_TYPE_IOS"}
    answer = service.user("signUp", email=unique_email(), password=PASSWORD, **unknown)
    assert answer.status == 200


@pytest.mark.parametrize("operation", APPS)
def test_apps_need_a_key(service, operation):
    for query in ("", "?key=", "?other=k"):
        answer = service.ask("POST", f"{TOOLKIT}/accounts:{operation}{query}", {})
        message = answer.failed(403, "PERMISSION_DENIED")
        assert message == "The request is missing a valid API key."
    for path, headers in ((f"?key={KEY}", {}), ("?key=any", {}), ("", {"x-goog-api-key": "k"})):
        answer = service.ask("POST", f"{TOOLKIT}/accounts:{operation}{path}", {}, headers)
        assert answer.status in (200, 400)


@pytest.mark.parametrize("operation", SERVERS)
def test_servers_need_an_administrators_token(service, operation):
    person = f"Bearer {service.sign_up()['idToken']}"
    path = f"{TOOLKIT}/projects/{service.project}{operation}"
    for token in (person, "Bearer nobody", "Bearer ", "Basic owner"):
        service.ask("POST", path, {}, {"Authorization": token}).failed(401, "UNAUTHENTICATED")
        keyed = service.ask("POST", f"{path}?key={KEY}", {}, {"Authorization": token})
        keyed.failed(401, "UNAUTHENTICATED")
    service.ask("POST", path, {}).failed(401, "UNAUTHENTICATED")
    service.ask("POST", f"{path}?key={KEY}", {}).failed(401, "UNAUTHENTICATED")


def test_listing_accounts_needs_an_administrators_token(service):
    path = f"{TOOLKIT}/projects/{service.project}/accounts:batchGet?key={KEY}"
    service.ask("GET", path).failed(401, "UNAUTHENTICATED")
    person = {"Authorization": f"Bearer {service.sign_up()['idToken']}"}
    service.ask("GET", path, headers=person).failed(401, "UNAUTHENTICATED")


@pytest.mark.parametrize("token", ["bearer OWNER", "Bearer owner", "BEARER ya29.any"])
def test_an_administrators_token_has_several_forms(service, token):
    uid = service.sign_up()["localId"]
    for path in (f"/projects/{service.project}/accounts:lookup", "/accounts:lookup"):
        members = {"localId": [uid]}
        answer = service.ask("POST", TOOLKIT + path, members, {"Authorization": token})
        assert [user["localId"] for user in answer.body["users"]] == [uid]


@pytest.mark.parametrize(
    "verb, path",
    [
        ("POST", f"{TOOLKIT}/accounts:nothing?key={KEY}"),
        ("POST", f"{TOOLKIT}/nothing?key={KEY}"),
        ("POST", f"{RELYING_PARTY}/nothing?key={KEY}"),
        ("POST", "/identitytoolkit.googleapis.com/v2/projects/tenants/nothing"),
        ("GET", "/nothing"),
    ],
)
def test_unknown_paths_are_not_found(service, verb, path):
    service.ask(verb, path, None if verb == "GET" else {}).failed(404, "NOT_FOUND")


@pytest.mark.parametrize(
    "verb, path, name",
    [
        ("POST", f"{TOOLKIT_2}/accounts/mfaEnrollment:start?key={KEY}", "accounts/mfaEnrollment:start"),
        ("POST", f"{TOOLKIT_2}/accounts/mfaSignIn:finalize?key={KEY}", "accounts/mfaSignIn:finalize"),
        ("POST", f"{TOOLKIT_2}/accounts/passkeySignIn:start?key={KEY}", "accounts/passkeySignIn:start"),
        ("POST", f"{TOOLKIT}/accounts:signInWithGameCenter?key={KEY}", "accounts:signInWithGameCenter"),
        ("GET", f"{TOOLKIT_2}/projects/p/tenants", "tenants"),
        ("GET", f"{TOOLKIT_2}/projects/p/oauthIdpConfigs", "oauthIdpConfigs"),
        ("POST", f"{RELYING_PARTY}/signOutUser?key={KEY}", "signOutUser"),
        ("GET", "/emulator/auth/handler", "auth/handler"),
    ],
)
def test_what_is_not_built_refuses_by_name(service, verb, path, name):
    message = service.ask(verb, path, None if verb == "GET" else {}).failed(501, "NOT_IMPLEMENTED")
    assert message == f"{name} is not implemented in the Auth Emulator."


@pytest.mark.parametrize(
    "data",
    [
        b"{", b"{]", b'{"email":}', b'{"email":"a@b.c",}', b"{'email':1}", b"nonsense", b"[]", b"[{}]",
        b'"text"', b"7", b'{"email":"\xff"}', b'{"email":"\\ud800"}', b'{"a":' * 2000 + b"1" + b"}" * 2000,
        b'{"email":"a@b.c"}{}', b"\x00", b'{"a":NaN}',
    ],
)  # fmt: skip
def test_malformed_json_is_refused(service, data):
    service.send("POST", SIGN_UP, data, JSON).malformed()
    path = f"{TOOLKIT}/projects/{service.project}/accounts"
    service.send("POST", path, data, {**JSON, **OWNER}).malformed()


@pytest.mark.parametrize(
    "members",
    [
        {"email": ["a@b.c"]}, {"email": {}}, {"password": True}, {"displayName": ["Sarah"]},
        {"returnSecureToken": "yes"}, {"returnSecureToken": 1}, {"idToken": {}},
    ],
)  # fmt: skip
def test_wrong_types_are_refused_and_write_nothing(service, members):
    email = unique_email()
    service.user("signUp", **{"email": email, "password": PASSWORD, **members}).malformed()
    service.sign_in(email).refused("EMAIL_NOT_FOUND")


@pytest.mark.parametrize(
    "operation, members",
    [
        ("/accounts:lookup", {"localId": "sarah"}),
        ("/accounts:lookup", {"localId": [{}]}),
        ("/accounts:update", {"disableUser": "yes"}),
        ("/accounts:update", {"deleteAttribute": ["NOTHING"]}),
        ("/accounts:update", {"customAttributes": {"role": "guide"}}),
        ("/accounts:batchCreate", {"users": {"localId": "u"}}),
        ("/accounts:batchCreate", {"users": ["u"]}),
        ("/accounts:batchDelete", {"localIds": "u"}),
        (":createSessionCookie", {"idToken": "t", "validDuration": [300]}),
    ],
)
def test_wrong_types_of_administrators_are_refused(service, operation, members):
    uid = service.admin("/accounts").body["localId"]
    before = service.account(uid)
    service.admin(operation, **{"localId": uid, **members}).malformed()
    assert service.account(uid) == before


def test_a_member_that_comes_twice_is_refused(service):
    first, second = unique_email(), unique_email()
    data = f'{{"email": "{first}", "email": "{second}", "password": "{PASSWORD}"}}'
    service.send("POST", SIGN_UP, data.encode(), JSON).malformed()
    for email in (first, second):
        service.sign_in(email).refused("EMAIL_NOT_FOUND")


@pytest.mark.parametrize(
    "operation, members, name",
    [
        ("signUp", {"tenantId": "t"}, "tenantId"),
        ("signInWithPassword", {"email": "a@b.c", "password": PASSWORD, "tenantId": "t"}, "tenantId"),
        ("signInWithCustomToken", {"token": '{"uid":"u","tenant_id":"t"}'}, "tenant_id"),
        ("signInWithIdp", {"requestUri": "http://x", "postBody": "access_token=a&providerId=google.com"}, "access_token"),
        ("signInWithIdp", {"requestUri": "http://x", "pendingIdToken": "x"}, "pendingIdToken"),
        ("signUp", {"mfaInfo": [{"phoneInfo": "+1"}]}, "mfaInfo"),
    ],
)  # fmt: skip
def test_members_of_what_is_not_built_refuse_by_name(service, operation, members, name):
    assert name in service.user(operation, **members).failed(501, "NOT_IMPLEMENTED")


@pytest.mark.parametrize("member", ["provider", "upgradeToFederatedLogin"])
def test_changes_that_are_not_built_refuse_by_name(service, member):
    uid = service.admin("/accounts").body["localId"]
    answer = service.admin("/accounts:update", localId=uid, **{member: "google.com"})
    assert member in answer.failed(501, "NOT_IMPLEMENTED")


def test_truth_may_be_text(service):
    user = service.user("signUp", returnSecureToken="true").body
    service.admin("/accounts:update", localId=user["localId"], disableUser="true")
    assert service.account(user["localId"])["disabled"] is True


def test_a_number_is_text_where_text_is_expected(service):
    user = service.user("signUp", email=unique_email(), password=123456, displayName=7).body
    assert user["displayName"] == "7"
    assert service.sign_in(user["email"], "123456").body["localId"] == user["localId"]


def test_a_body_of_eleven_mebibytes_is_refused(service):
    email = unique_email()
    members = {"email": email, "password": PASSWORD, "displayName": "e" * (11 << 20)}
    assert service.user("signUp", **members).status == 413
    service.sign_in(email).refused("EMAIL_NOT_FOUND")


@pytest.mark.parametrize("name", NAMES)
def test_names_are_in_any_script(service, name):
    user = service.sign_up(displayName=name)
    assert user["displayName"] == payload(user["idToken"])["name"] == name
    assert service.account(user["localId"])["displayName"] == name


@pytest.mark.parametrize("local", ["пётр", "李", "zoë+chat", "ÄRGER", "İ", "a b", "😀", "a/b?c#d%41"])
def test_addresses_are_in_any_script(service, local):
    email = f"{local}-{unique_email()}"
    user = service.sign_up(email)
    assert user["email"] == email.lower()
    assert service.sign_in(email).body["localId"] == user["localId"]
    service.user("sendOobCode", requestType="PASSWORD_RESET", email=email)
    assert service.code(user["email"], "PASSWORD_RESET")["email"] == email.lower()
