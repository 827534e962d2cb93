"""Google's own credentials, made from the key file of `exec`, are accepted from servers."""

import os

import google.auth.transport.requests
import grpc
import pytest
from firestore.case import PROJECT
from firestore.wire import METHODS, SERVICE
from google.api_core.exceptions import NotFound
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreRestTransport
from google.oauth2 import service_account

HOST = os.environ["FIRESTORE_EMULATOR_HOST"]
DATABASE = f"projects/{PROJECT}/databases/(default)"
SCOPES = ["https://www.googleapis.com/auth/datastore"]


def key_file():
    return service_account.Credentials.from_service_account_file(
        os.environ["GOOGLE_APPLICATION_CREDENTIALS"]
    )


def self_signed(audience):
    """Returns a self-signed token for an audience or, without one, for the scopes."""
    credentials = key_file().with_always_use_jwt_access(True)
    if audience is None:
        credentials = credentials.with_scopes(SCOPES)
    credentials._create_self_signed_jwt(audience)
    return credentials


def granted():
    """Returns an access token of the emulator's token endpoint, which the key file names."""
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


def over_rest(credentials):
    """Returns Google's REST client. It differs from a client of the cloud only by the scheme
    `http`."""
    return FirestoreClient(
        transport=FirestoreRestTransport(host=HOST, url_scheme="http", credentials=credentials)
    )


@pytest.mark.parametrize("scopes", [None, SCOPES], ids=["signed", "granted or signed"])
def test_googles_client_over_rest(scopes):
    credentials = key_file().with_scopes(scopes) if scopes else key_file()
    client = over_rest(credentials)
    root = f"{DATABASE}/documents"
    name = f"{root}/credentials/client"
    field = {"n": {"integer_value": 1}}
    client.commit(
        request={"database": DATABASE, "writes": [{"update": {"name": name, "fields": field}}]}
    )
    assert client.get_document(request={"name": name}).fields["n"].integer_value == 1
    (found,) = client.batch_get_documents(request={"database": DATABASE, "documents": [name]})
    assert found.found.name == name
    query = {"from_": [{"collection_id": "credentials"}], "limit": {"value": 1}}
    answers = client.run_query(request={"parent": root, "structured_query": query})
    assert len(list(answers)) == 1
    client.delete_document(request={"name": name})
    with pytest.raises(NotFound):
        client.get_document(request={"name": name})
