"""Firestore's Admin API is answered with UNIMPLEMENTED, to Google's client and to raw requests."""

import http.client
import json
import os

import grpc
import pytest
from google.api_core.exceptions import MethodNotImplemented
from google.cloud.firestore_admin_v1 import FirestoreAdminClient
from google.cloud.firestore_admin_v1.services.firestore_admin.transports import (
    FirestoreAdminGrpcTransport,
)

HOST = os.environ["FIRESTORE_EMULATOR_HOST"]
DATABASE = "projects/demo-test/databases/(default)"
GROUP = f"{DATABASE}/collectionGroups/c"
CALLS = {
    "list_databases": {"parent": "projects/demo-test"},
    "get_database": {"name": DATABASE},
    "delete_database": {"name": DATABASE},
    "list_indexes": {"parent": GROUP},
    "get_field": {"name": f"{GROUP}/fields/f"},
    "export_documents": {"request": {"name": DATABASE}},
    "bulk_delete_documents": {"request": {"name": DATABASE}},
    "list_backup_schedules": {"parent": DATABASE},
}


@pytest.mark.parametrize("method", CALLS)
def test_with_googles_client(method):
    with grpc.insecure_channel(HOST) as channel:
        client = FirestoreAdminClient(transport=FirestoreAdminGrpcTransport(channel=channel))
        with pytest.raises(MethodNotImplemented, match="Firestore's Admin API is not built"):
            getattr(client, method)(**CALLS[method], retry=None)


@pytest.mark.parametrize(
    "verb, path",
    [
        ("GET", "projects/demo-test/databases"),
        ("POST", "projects/demo-test/databases?databaseId=x"),
        ("GET", DATABASE),
        ("PATCH", DATABASE),
        ("DELETE", DATABASE),
        ("POST", f"{DATABASE}:exportDocuments"),
        ("POST", f"{DATABASE}:importDocuments"),
        ("GET", f"{GROUP}/indexes"),
        ("POST", f"{GROUP}/indexes"),
        ("PATCH", f"{GROUP}/fields/f"),
        ("GET", f"{DATABASE}/operations"),
        ("POST", f"{DATABASE}/operations/o:cancel"),
        ("GET", f"{DATABASE}/backupSchedules/b"),
        ("GET", "projects/demo-test/locations/l/backups"),
    ],
)
def test_raw_requests(verb, path):
    connection = http.client.HTTPConnection(HOST, timeout=60)
    connection.request(verb, f"/v1/{path}", "{}", {"Authorization": "Bearer owner"})
    answer = connection.getresponse()
    error = json.loads(answer.read())["error"]
    connection.close()
    # Google's emulator has no such paths: it answers with a bare 404.
    assert (answer.status, error["status"]) == (501, "UNIMPLEMENTED")
    assert "Admin API is not built" in error["message"]
