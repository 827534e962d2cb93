"""firebase-admin manages accounts in our service as it does in the cloud."""

import datetime

import firebase_admin
import pytest
from auth.service import PASSWORD, payload, service, unique_email, unique_phone
from firebase_admin import auth


@pytest.fixture(scope="module")
def app(service):
    # `exec` sets the service's variable: the library needs no credentials then.
    app = firebase_admin.initialize_app(
        options={"projectId": service.project}, name="authentication"
    )
    yield app
    firebase_admin.delete_app(app)


@pytest.fixture
def user(app):
    return auth.create_user(email=unique_email(), password=PASSWORD, display_name="Sarah", app=app)


def token_of(service, user):
    return service.sign_in(user.email).body["idToken"]


def test_a_user_is_created_with_every_field(app):
    email, phone = unique_email(), unique_phone()
    created = auth.create_user(
        uid=email, email=email, email_verified=True, phone_number=phone, password=PASSWORD,
        display_name="Léa", photo_url="https://example.com/lea.png", disabled=True, app=app,
    )  # fmt: skip
    found = auth.get_user(email, app)
    for user in (created, found):
        assert (user.uid, user.email, user.phone_number) == (email, email, phone)
        assert (user.display_name, user.photo_url) == ("Léa", "https://example.com/lea.png")
        assert user.email_verified is True and user.disabled is True
        assert {each.provider_id for each in user.provider_data} == {"password", "phone"}
        assert user.user_metadata.creation_timestamp is not None


def test_users_are_found_by_identifiers(app, user):
    phone = unique_phone()
    auth.update_user(user.uid, phone_number=phone, app=app)
    assert auth.get_user_by_email(user.email, app).uid == user.uid
    assert auth.get_user_by_phone_number(phone, app).uid == user.uid
    identifiers = [
        auth.UidIdentifier(user.uid),
        auth.EmailIdentifier("nobody@example.com"),
        auth.PhoneIdentifier("+15550000"),
        auth.ProviderIdentifier("google.com", "nobody"),
    ]
    result = auth.get_users(identifiers, app)
    assert [each.uid for each in result.users] == [user.uid]
    assert len(result.not_found) == 3


@pytest.mark.parametrize(
    "find", [auth.get_user, lambda uid, app: auth.update_user(uid, disabled=True, app=app), auth.delete_user]
)  # fmt: skip
def test_nobody_is_not_found(app, find):
    with pytest.raises(auth.UserNotFoundError):
        find("nobody", app)


def test_identifiers_belong_to_one_user(app, user):
    phone = unique_phone()
    auth.update_user(user.uid, phone_number=phone, app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email=user.email, app=app)
    with pytest.raises(auth.PhoneNumberAlreadyExistsError):
        auth.create_user(phone_number=phone, app=app)
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid=user.uid, app=app)


def test_fields_are_changed_and_removed(app, user):
    auth.update_user(user.uid, photo_url="https://example.com/s.png", phone_number=unique_phone(), app=app)
    changed = auth.update_user(
        user.uid,
        email=unique_email(),
        email_verified=True,
        display_name=auth.DELETE_ATTRIBUTE,
        photo_url=auth.DELETE_ATTRIBUTE,
        phone_number=auth.DELETE_ATTRIBUTE,
        app=app,
    )
    assert changed.email != user.email and changed.email_verified is True
    assert (changed.display_name, changed.photo_url, changed.phone_number) == (None, None, None)


def test_a_provider_is_found_and_unlinked(app, service, user):
    service.admin(
        "/accounts:update",
        localId=user.uid,
        linkProviderUserInfo={"providerId": "google.com", "rawId": user.uid},
    )
    found = auth.get_users([auth.ProviderIdentifier("google.com", user.uid)], app)
    assert [each.uid for each in found.users] == [user.uid]
    unlinked = auth.update_user(user.uid, providers_to_delete=["google.com"], app=app)
    assert "google.com" not in [each.provider_id for each in unlinked.provider_data]


def test_claims_are_in_the_next_token(app, service, user):
    before = token_of(service, user)
    auth.set_custom_user_claims(user.uid, {"role": "guide", "level": 3}, app)
    assert auth.get_user(user.uid, app).custom_claims == {"role": "guide", "level": 3}
    assert "role" not in auth.verify_id_token(before, app)
    claims = auth.verify_id_token(token_of(service, user), app)
    assert (claims["role"], claims["level"]) == ("guide", 3)
    auth.set_custom_user_claims(user.uid, None, app)
    assert "role" not in auth.verify_id_token(token_of(service, user), app)
    with pytest.raises(ValueError):
        auth.set_custom_user_claims(user.uid, {"sub": "other"}, app)


def test_a_revoked_token_is_refused_if_asked(app, service, user):
    token = token_of(service, user)
    auth.verify_id_token(token, app, check_revoked=True)
    # Revocation has the precision of a second, and spares tokens of that second.
    auth.revoke_refresh_tokens(user.uid, app)
    seconds = auth.get_user(user.uid, app).tokens_valid_after_timestamp // 1000
    service.admin("/accounts:update", localId=user.uid, validSince=seconds + 1)
    assert auth.verify_id_token(token, app)["uid"] == user.uid
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(token, app, check_revoked=True)


def test_a_disabled_users_token_is_refused_if_asked(app, service, user):
    token = token_of(service, user)
    auth.update_user(user.uid, disabled=True, app=app)
    with pytest.raises(auth.UserDisabledError):
        auth.verify_id_token(token, app, check_revoked=True)
    service.sign_in(user.email).refused("USER_DISABLED")


def test_users_are_listed_in_pages(app, user):
    page, ids = auth.list_users(max_results=2, app=app), []
    while page:
        assert len(page.users) <= 2
        ids += [each.uid for each in page.users]
        page = page.get_next_page()
    assert len(set(ids)) == len(ids) and user.uid in ids
    assert {each.uid for each in auth.list_users(app=app).iterate_all()} >= set(ids)


def test_users_are_imported(app, service):
    emails = [unique_email() for _ in range(3)]
    result = auth.import_users(
        [
            auth.ImportUserRecord(
                uid=email,
                email=email,
                email_verified=True,
                display_name="Imported",
                custom_claims={"role": "guide"},
                provider_data=[auth.UserProvider(email, "google.com", email=email)],
            )
            for email in emails
        ],
        app=app,
    )
    assert (result.success_count, result.failure_count) == (3, 0)
    imported = auth.get_user(emails[0], app)
    assert imported.custom_claims == {"role": "guide"}
    assert [each.provider_id for each in imported.provider_data] == ["google.com"]
    taken = auth.ImportUserRecord(uid=f"{emails[0]}-2", email=emails[0])
    result = auth.import_users([taken], app=app)
    assert (result.success_count, result.failure_count) == (0, 1)
    assert result.errors[0].index == 0 and "email" in result.errors[0].reason


def test_users_are_deleted_one_by_one_and_together(app):
    users = [auth.create_user(app=app).uid for _ in range(4)]
    auth.delete_user(users[0], app)
    result = auth.delete_users(users, app)
    assert (result.success_count, result.failure_count) == (4, 0)
    assert auth.get_users([auth.UidIdentifier(uid) for uid in users], app).users == []


def test_a_custom_token_signs_in(app, service):
    uid = unique_email()
    token = auth.create_custom_token(uid, {"role": "guide"}, app).decode()
    answer = service.user("signInWithCustomToken", token=token, returnSecureToken=True)
    assert answer.body["isNewUser"] is True
    claims = auth.verify_id_token(answer.body["idToken"], app, check_revoked=True)
    assert (claims["uid"], claims["role"]) == (uid, "guide")
    assert claims["firebase"]["sign_in_provider"] == "custom"


def test_a_session_cookie_stands_for_its_token(app, service, user):
    token = token_of(service, user)
    cookie = auth.create_session_cookie(token, datetime.timedelta(days=5), app)
    claims = auth.verify_session_cookie(cookie, check_revoked=True, app=app)
    assert claims["uid"] == user.uid
    assert claims["exp"] - claims["iat"] == 5 * 86_400
    auth.update_user(user.uid, disabled=True, app=app)
    with pytest.raises(auth.UserDisabledError):
        auth.verify_session_cookie(cookie, check_revoked=True, app=app)


def test_links_do_what_they_say(app, service, user):
    settings = auth.ActionCodeSettings("https://example.com/done", handle_code_in_app=True)
    link = auth.generate_email_verification_link(user.email, settings, app)
    assert service.send("GET", link).status == 303
    assert auth.get_user(user.uid, app).email_verified is True
    link = auth.generate_password_reset_link(user.email, app=app)
    assert service.send("GET", f"{link}&newPassword=battery+staple").status == 200
    assert service.sign_in(user.email, "battery staple").status == 200
    link = auth.generate_sign_in_with_email_link(user.email, settings, app)
    answer = service.send("GET", link)
    assert answer.headers["Location"].startswith("https://example.com/done?")
    with pytest.raises(auth.EmailNotFoundError):
        auth.generate_password_reset_link("nobody@example.com", app=app)


def test_a_token_of_another_project_is_refused(app, service):
    token = service.sign_up()["idToken"]
    assert payload(token)["aud"] == service.project
    other = firebase_admin.initialize_app(options={"projectId": "demo-other"}, name="other")
    try:
        with pytest.raises(auth.InvalidIdTokenError):
            auth.verify_id_token(token, other)
        with pytest.raises(firebase_admin.exceptions.FirebaseError, match="demo-other"):
            auth.get_user("nobody", other)
    finally:
        firebase_admin.delete_app(other)
