"""Google's own credentials, made from the key file that `exec` supplies, let servers in."""

import os

import google.auth.transport.requests
import grpc
import pytest
from firestore.case import PROJECT
from firestore.wire import METHODS, SERVICE
from google.oauth2 import service_account

HOST = os.environ["FIRESTORE_EMULATOR_HOST"]
DATABASE = f"projects/{PROJECT}/databases/(default)"
SCOPES = ["https://www.googleapis.com/auth/datastore"]


def key_file():
    return service_account.Credentials.from_service_account_file(
        os.environ["GOOGLE_APPLICATION_CREDENTIALS"]
    )


def self_signed(audience):
    """A token that is asked of nobody, for an audience or, without one, for the scopes."""
    credentials = key_file().with_always_use_jwt_access(True)
    if audience is None:
        credentials = credentials.with_scopes(SCOPES)
    credentials._create_self_signed_jwt(audience)
    return credentials


def granted():
    """An access token of the emulator's token endpoint, which the key file names."""
    credentials = key_file().with_scopes(SCOPES)
    assert "/providers/" in credentials._token_uri
    return credentials


CREDENTIALS = {
    "signed for the audience": lambda: self_signed("https://firestore.googleapis.com/"),
    "signed for the scope": lambda: self_signed(None),
    "granted": granted,
}


@pytest.fixture(params=CREDENTIALS.values(), ids=CREDENTIALS)
def token(request):
    credentials = request.param()
    credentials.refresh(google.auth.transport.requests.Request())
    return credentials.token


def test_over_rest(token):
    session = google.auth.transport.requests.requests.Session()
    answer = session.post(
        f"http://{HOST}/v1/{DATABASE}/documents:commit",
        headers={"Authorization": f"Bearer {token}"},
        json={"writes": [{"update": {"name": f"{DATABASE}/documents/credentials/rest"}}]},
    )
    assert answer.status_code == 200, answer.text


def test_over_grpc(token):
    request_type, answer_type = (each.pb() for each in METHODS["Commit"])
    request = request_type(database=DATABASE)
    request.writes.add().update.name = f"{DATABASE}/documents/credentials/grpc"
    with grpc.insecure_channel(HOST) as channel:
        commit = channel.unary_unary(
            SERVICE + "Commit", request_type.SerializeToString, answer_type.FromString
        )
        answer = commit(request, metadata=[("authorization", f"Bearer {token}")])
    assert len(answer.write_results) == 1
