"""Google's own client of Firebase Cloud Messaging against the emulator's fake.

The client has no variable for another address, so the one constant with the address is replaced.
Everything else is the client's own, including the key file and its token.
"""

import asyncio
import datetime
import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

import firebase_admin
import google.auth.transport.requests
import pytest
import requests
from firebase_admin import credentials, exceptions, messaging
from google.oauth2 import service_account

# The client prefers an installation's id, which has a test of its own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Message.token is deprecated"),
    pytest.mark.filterwarnings("ignore:MulticastMessage.tokens is deprecated"),
]

DOUBLES = f"http://{os.environ['FUNCTIONS_EMULATOR_HOST']}/providers"
PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]


def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{DOUBLES}{path}", data, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


@pytest.fixture
def loop():
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.fixture
def app(monkeypatch, loop):
    monkeypatch.setattr(
        messaging._MessagingService,
        "FCM_URL",
        f"{DOUBLES}/v1/projects/{{0}}/messages:send",
    )
    credential = credentials.Certificate(os.environ["GOOGLE_APPLICATION_CREDENTIALS"])
    app = firebase_admin.initialize_app(
        credential, {"projectId": PROJECT}, name=str(uuid.uuid4())
    )
    yield app
    firebase_admin.delete_app(app)
    ask("DELETE", "/fcm/devices")


@pytest.fixture
def token():
    """A unique device token."""
    return f"phone:{uuid.uuid4()}"


def got(address):
    """Returns the messages sent to a phone or a topic."""
    return [
        each["message"]
        for each in ask("GET", "/fcm/inbox")["messages"]
        if address in (each.get("token"), each.get("topic"), each.get("condition"))
    ]


def uninstall(token):
    ask("DELETE", f"/fcm/devices/{urllib.parse.quote(token, safe='')}")


def test_a_message_arrives(app, token):
    message = messaging.Message(
        token=token,
        notification=messaging.Notification(title="Sarah", body="Caffè? ☕️"),
        data={"conversationId": "c", "messageId": "m", "type": "newMessage"},
    )
    name = messaging.send(message, app=app)
    assert name.startswith(f"projects/{PROJECT}/messages/")
    (received,) = got(token)
    assert received["notification"] == {"title": "Sarah", "body": "Caffè? ☕️"}
    assert received["data"]["type"] == "newMessage"


def test_a_message_is_validated_only(app, token):
    message = messaging.Message(token=token, data={"a": "b"})
    name = messaging.send(message, dry_run=True, app=app)
    assert name == f"projects/{PROJECT}/messages/fake_message_id"
    assert got(token) == []


def test_a_phone_without_the_app_is_unregistered(app, token):
    uninstall(token)
    with pytest.raises(messaging.UnregisteredError) as error:
        messaging.send(messaging.Message(token=token), app=app)
    assert error.value.code == exceptions.NOT_FOUND
    assert error.value.http_response.status_code == 404


def test_with_a_registered_device_other_devices_are_unregistered(app, token):
    ask("POST", "/fcm/devices", {"token": token})
    assert messaging.send(messaging.Message(token=token), app=app)
    with pytest.raises(messaging.UnregisteredError):
        messaging.send(messaging.Message(token="another"), app=app)
    assert ask("GET", "/fcm/devices")["registered"] == [token]


def test_an_invalid_token_is_an_invalid_argument(app):
    with pytest.raises(exceptions.InvalidArgumentError) as error:
        messaging.send(messaging.Message(token="no token at all"), app=app)
    assert "not a valid FCM registration token" in str(error.value)


def test_each_of_several_messages_has_its_own_result(app, token):
    gone = f"gone:{uuid.uuid4()}"
    uninstall(gone)
    answers = messaging.send_each(
        [
            messaging.Message(token=token),
            messaging.Message(token=gone),
            messaging.Message(token="no token at all"),
            messaging.Message(topic="news"),
        ],
        app=app,
    )
    assert (answers.success_count, answers.failure_count) == (2, 2)
    assert [each.success for each in answers.responses] == [True, False, False, True]
    assert isinstance(answers.responses[1].exception, messaging.UnregisteredError)
    assert isinstance(answers.responses[2].exception, exceptions.InvalidArgumentError)


def test_a_multicast_reaches_registered_devices(app):
    tokens = [f"phone:{uuid.uuid4()}" for _ in range(20)]
    for token in tokens[::4]:
        uninstall(token)
    answers = messaging.send_each_for_multicast(
        messaging.MulticastMessage(
            tokens=tokens, notification=messaging.Notification(title="t", body="b")
        ),
        app=app,
    )
    assert (answers.success_count, answers.failure_count) == (15, 5)
    for index, (token, answer) in enumerate(zip(tokens, answers.responses)):
        assert answer.success == (index % 4 != 0)
        assert len(got(token)) == (1 if answer.success else 0)


def test_several_messages_are_sent_by_asyncio(app, loop, token):
    gone = f"gone:{uuid.uuid4()}"
    uninstall(gone)
    messages = [messaging.Message(token=token), messaging.Message(token=gone)]
    sending = messaging.send_each_async(messages, dry_run=False, app=app)
    answers = loop.run_until_complete(sending)
    assert [each.success for each in answers.responses] == [True, False]
    assert isinstance(answers.responses[1].exception, messaging.UnregisteredError)
    assert len(got(token)) == 1


def test_an_installation_is_reached_by_its_id(app, token):
    assert messaging.send(messaging.Message(fid=token), app=app)
    assert len(got(token)) == 1
    uninstall(token)
    with pytest.raises(messaging.UnregisteredError):
        messaging.send(messaging.Message(fid=token), app=app)


@pytest.mark.parametrize(
    "fault, error",
    [
        ({"status": 429, "code": "QUOTA_EXCEEDED"}, messaging.QuotaExceededError),
        ({"status": 403, "code": "SENDER_ID_MISMATCH"}, messaging.SenderIdMismatchError),
        ({"status": 401, "code": "THIRD_PARTY_AUTH_ERROR"}, messaging.ThirdPartyAuthError),
    ],
)
def test_an_injected_fault_is_the_clients_error(app, token, fault, error):
    try:
        ask("POST", "/faults", {"provider": "fcm", "kind": "status", "times": 10, **fault})
    except urllib.error.HTTPError as missing:
        assert missing.code == 404
        pytest.skip("the emulator has no faults on demand")
    try:
        with pytest.raises(error):
            messaging.send(messaging.Message(token=token), app=app)
    finally:
        ask("DELETE", "/faults")
    assert messaging.send(messaging.Message(token=token), app=app)
    assert len(got(token)) == 1


def test_all_android_fields(app, token):
    android = messaging.AndroidConfig(
        collapse_key="c",
        priority="high",
        ttl=datetime.timedelta(seconds=3.5),
        restricted_package_name="org.example",
        data={"a": "b"},
        direct_boot_ok=True,
        bandwidth_constrained_ok=True,
        restricted_satellite_ok=False,
        fcm_options=messaging.AndroidFCMOptions(analytics_label="android"),
        notification=messaging.AndroidNotification(
            title="t",
            body="b",
            icon="i",
            color="#aabbcc",
            sound="default",
            tag="t",
            click_action="c",
            body_loc_key="k",
            body_loc_args=["1"],
            title_loc_key="k",
            title_loc_args=["2", "3"],
            channel_id="messages",
            image="https://x.example/i.png",
            ticker="t",
            sticky=True,
            event_timestamp=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),
            local_only=True,
            priority="max",
            vibrate_timings_millis=[100, 1500],
            default_vibrate_timings=False,
            default_sound=True,
            light_settings=messaging.LightSettings(
                color="#aabbccdd",
                light_on_duration_millis=500,
                light_off_duration_millis=1000,
            ),
            default_light_settings=False,
            visibility="private",
            notification_count=3,
            proxy="if_priority_lowered",
        ),
    )
    assert messaging.send(messaging.Message(token=token, android=android), app=app)
    (received,) = got(token)
    assert received["android"]["ttl"] == "3.500000000s"
    assert received["android"]["notification"]["notification_count"] == 3


def test_all_apple_fields(app, token):
    apns = messaging.APNSConfig(
        headers={"apns-priority": "10", "apns-collapse-id": "m"},
        live_activity_token="l",
        fcm_options=messaging.APNSFCMOptions(
            analytics_label="apple", image="https://x.example/i.png"
        ),
        payload=messaging.APNSPayload(
            messaging.Aps(
                alert=messaging.ApsAlert(
                    title="t", subtitle="s", body="b", loc_key="k", loc_args=["1"]
                ),
                badge=3,
                sound=messaging.CriticalSound("s", critical=True, volume=0.5),
                content_available=True,
                mutable_content=True,
                category="MESSAGE",
                thread_id="c",
                custom_data={"x": {"y": [1, None, True]}},
            ),
            own="data",
        ),
    )
    assert messaging.send(messaging.Message(token=token, apns=apns), app=app)
    (received,) = got(token)
    assert received["apns"]["payload"]["aps"]["thread-id"] == "c"


def test_all_web_fields(app, token):
    webpush = messaging.WebpushConfig(
        headers={"TTL": "60", "Urgency": "high"},
        data={"a": "b"},
        fcm_options=messaging.WebpushFCMOptions(link="https://x.example"),
        notification=messaging.WebpushNotification(
            title="t",
            body="b",
            actions=[messaging.WebpushNotificationAction("a", "t")],
            vibrate=[100, 200],
            renotify=True,
            timestamp_millis=1,
            custom_data={"x": 1},
        ),
    )
    options = messaging.FCMOptions(analytics_label="web")
    message = messaging.Message(token=token, webpush=webpush, fcm_options=options)
    assert messaging.send(message, app=app)
    assert len(got(token)) == 1


def test_a_topic_and_a_condition(app):
    topic = f"news-{uuid.uuid4()}"
    assert messaging.send(messaging.Message(topic=f"/topics/{topic}"), app=app)
    assert len(got(topic)) == 1
    condition = f"'{topic}' in topics && !('b' in topics)"
    assert messaging.send(messaging.Message(condition=condition), app=app)
    assert len(got(condition)) == 1
    with pytest.raises(exceptions.InvalidArgumentError):
        messaging.send(messaging.Message(condition=f"'{topic}' in topics &&"), app=app)


@pytest.mark.parametrize(
    "message, complaint",
    [
        ({"data": {"from": "x"}}, "Invalid data payload key: from"),
        ({"data": {"google.x": "x"}}, "Invalid data payload key: google.x"),
        ({"data": {"a": "x" * 4096}}, "Android message is too big"),
        (
            {"apns": messaging.APNSConfig(headers={"apns-collapse-id": "x" * 65})},
            "apns-collapse-id is longer than 64 bytes",
        ),
    ],
)
def test_invalid_messages_are_invalid_arguments(app, token, message, complaint):
    with pytest.raises(exceptions.InvalidArgumentError) as error:
        messaging.send(messaging.Message(token=token, **message), app=app)
    assert str(error.value) == complaint
    assert got(token) == []


def test_a_field_that_fcm_does_not_know_is_named(app, token):
    """The client wouldn't send the field, so the test uses the client's session."""
    body = {"message": {"token": token, "notification": {"title": "t", "sound": "default"}}}
    credential = app.credential.get_credential()
    session = google.auth.transport.requests.AuthorizedSession(credential)
    answer = session.post(f"{DOUBLES}/v1/projects/{PROJECT}/messages:send", json=body)
    error = answer.json()["error"]
    assert answer.status_code == 400
    assert error["message"].startswith('Invalid JSON payload received. Unknown name "sound"')
    assert error["details"][0]["fieldViolations"][0]["field"] == "message.notification"


def test_without_a_token_requests_are_refused(token):
    answer = requests.post(
        f"{DOUBLES}/v1/projects/{PROJECT}/messages:send",
        headers={"Authorization": "Bearer ya29.nobodys"},
        json={"message": {"token": token}},
    )
    assert (answer.status_code, answer.json()["error"]["status"]) == (401, "UNAUTHENTICATED")


def test_a_token_of_another_scope_is_insufficient(token):
    credential = service_account.Credentials.from_service_account_file(
        os.environ["GOOGLE_APPLICATION_CREDENTIALS"],
        scopes=["https://www.googleapis.com/auth/datastore"],
    )
    session = google.auth.transport.requests.AuthorizedSession(credential)
    answer = session.post(
        f"{DOUBLES}/v1/projects/{PROJECT}/messages:send", json={"message": {"token": token}}
    )
    error = answer.json()["error"]
    assert (answer.status_code, error["status"]) == (403, "PERMISSION_DENIED")
    assert error["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"


def test_default_credentials_without_a_key_file_use_the_metadata_server(app, token, tmp_path):
    """Tests a process that has only the metadata server's address, as on Google's machines."""
    script = f"""
import firebase_admin
from firebase_admin import messaging
messaging._MessagingService.FCM_URL = "{DOUBLES}/v1/projects/{{0}}/messages:send"
app = firebase_admin.initialize_app()
assert app.project_id == "{PROJECT}", app.project_id
print(messaging.send(messaging.Message(token="{token}")))
"""
    host = os.environ["FUNCTIONS_EMULATOR_HOST"]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "GCE_METADATA_HOST": host,
        "GCE_METADATA_IP": host,
    }
    run = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"projects/{PROJECT}/messages/")
    assert len(got(token)) == 1
