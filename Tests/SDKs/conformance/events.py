"""Events in both generations, made up by the rules that map one to the other."""

import base64
import copy
from dataclasses import dataclass

TIME = "2026-03-01T18:00:00.123Z"


@dataclass(frozen=True)
class Event:
    """One event as a CloudEvent and as the first generation had it.

    `background_resource` and `background_data` are what the way back leaves otherwise than it was.
    """

    name: str
    cloud_event: dict
    background: dict
    background_resource: object = None
    background_data: dict = None

    def as_cloud_event(self, id):
        return copy.deepcopy(self.cloud_event) | {"id": id}

    def as_background(self, id):
        body = copy.deepcopy(self.background)
        body["context"]["eventId"] = id
        return body

    def back(self, id):
        """What becomes of the CloudEvent in the first generation."""
        body = self.as_background(id)
        context = body["context"]
        context["resource"] = self.background_resource or context["resource"]
        return {"context": context, "data": self.background_data or body["data"]}


def cloud_event(type, source, subject, data):
    attributes = {"specversion": "1.0", "type": type, "source": source, "time": TIME}
    if subject:
        attributes["subject"] = subject
    return attributes | {"datacontenttype": "application/json", "data": data}


def background(type, resource, data, **more):
    context = {"timestamp": TIME, "eventType": type, "resource": resource}
    return {"context": context, "data": data, **more}


# Firestore


DATABASE = "projects/demo-test/databases/(default)"
MESSAGE = "documents/conversations/trip/messages/m1"


def document(text):
    return {
        "name": f"{DATABASE}/{MESSAGE}",
        "fields": {
            "text": {"stringValue": text},
            "likes": {"integerValue": "9007199254740993"},
            "rating": {"doubleValue": 4.5},
            "pinned": {"booleanValue": False},
            "nothing": {"nullValue": None},
            "readBy": {"arrayValue": {"values": [{"stringValue": "marco"}]}},
            "at": {"geoPointValue": {"latitude": 41.9, "longitude": 12.5}},
            "meta": {"mapValue": {"fields": {"sent": {"timestampValue": TIME}}}},
        },
        "createTime": "2026-03-01T17:00:00Z",
        "updateTime": TIME,
    }


def firestore(name, old, new, kind, background_kind, resource=None):
    data = {}
    if new:
        data["value"] = document(new)
    if old:
        data["oldValue"] = document(old)
    if new and old:
        data["updateMask"] = {"fieldPaths": ["text"]}
    plain = f"{DATABASE}/{MESSAGE}"
    return Event(
        name,
        cloud_event(
            f"google.cloud.firestore.document.v1.{kind}",
            f"//firestore.googleapis.com/{DATABASE}",
            MESSAGE,
            data,
        ),
        background(
            f"providers/cloud.firestore/eventTypes/document.{background_kind}",
            resource or plain,
            data,
        ),
        background_resource=plain,
    )


# Pub/Sub


def pubsub(name, message):
    kind = "type.googleapis.com/google.pubsub.v1.PubsubMessage"
    topic = "projects/demo-test/topics/letters"
    resource = {"service": "pubsub.googleapis.com", "name": topic, "type": kind}
    ours = {"messageId": "77", "publishTime": TIME}
    return Event(
        name,
        cloud_event(
            "google.cloud.pubsub.topic.v1.messagePublished",
            f"//pubsub.googleapis.com/{topic}",
            None,
            {"message": message | ours},
        ),
        background("google.pubsub.topic.publish", resource, message | ours),
        background_data=message,
    )


# Storage


def storage(name, kind, background_type, object="trip/colosseo.jpg", generation=""):
    bucket, path = "projects/_/buckets/demo-pictures", f"objects/{object}"
    data = {
        "bucket": "demo-pictures",
        "name": object,
        "kind": "storage#object",
        "contentType": "image/jpeg",
        "size": "3",
        "metageneration": "1",
    }
    resource = {
        "service": "storage.googleapis.com",
        "name": f"{bucket}/{path}",
        "type": "storage#object",
    }
    return Event(
        name,
        cloud_event(
            f"google.cloud.storage.object.v1.{kind}",
            f"//storage.googleapis.com/{bucket}",
            path,
            data,
        ),
        background(background_type, resource | {"name": resource["name"] + generation}, data),
        background_resource=resource,
    )


# Realtime Database


def database(name, kind, domain, location, old, new):
    data = {"data": old, "delta": new}
    path = "refs/presence/marco"
    return Event(
        name,
        cloud_event(
            f"google.firebase.database.ref.v1.{kind[1]}",
            f"//firebasedatabase.googleapis.com/projects/_/locations/{location}/instances/demo-test",
            path,
            data,
        ),
        background(
            f"providers/google.firebase.database/eventTypes/ref.{kind[0]}",
            f"projects/_/instances/demo-test/{path}",
            data,
            domain=domain,
        ),
    )


# Auth


def auth(name, kind, background_kind):
    user = {"uid": "marco", "email": "marco@example.com", "emailVerified": True}
    old = {"createdAt": "2026-02-01T10:00:00Z", "lastSignedInAt": "2026-02-02T10:00:00Z"}
    new = {"createTime": old["createdAt"], "lastSignInTime": old["lastSignedInAt"]}
    return Event(
        name,
        cloud_event(
            f"google.firebase.auth.user.v1.{kind}",
            "//firebaseauth.googleapis.com/projects/demo-test",
            "users/marco",
            user | {"metadata": new},
        ),
        background(
            f"providers/firebase.auth/eventTypes/user.{background_kind}",
            "projects/demo-test",
            user | {"metadata": old},
        ),
    )


TEXT = base64.b64encode("Perché no? 😀".encode()).decode()
BYTES = base64.b64encode(bytes(range(256))).decode()

EVENTS = [
    firestore("firestore-created", None, "Hello!", "created", "create"),
    firestore("firestore-updated", "Hello!", "Ciao! 😀", "updated", "update"),
    firestore("firestore-deleted", "Hello!", None, "deleted", "delete"),
    firestore(
        *("firestore-written", "Hello!", "Hello, \u2028you!", "written", "write"),
        resource={"service": "firestore.googleapis.com", "name": f"{DATABASE}/{MESSAGE}"},
    ),
    pubsub("pubsub-text", {"data": TEXT, "attributes": {"language": "it"}}),
    pubsub("pubsub-bytes", {"data": BYTES}),
    pubsub("pubsub-attributes-only", {"attributes": {"n": "1"}}),
    storage("storage-finalized", "finalized", "google.storage.object.finalize"),
    storage(
        *("storage-number-sign", "finalized", "google.storage.object.finalize"),
        object="trip/no#1.jpg",
    ),
    storage("storage-deleted", "deleted", "google.storage.object.delete"),
    storage("storage-archived", "archived", "google.storage.object.archive"),
    storage("storage-metadata", "metadataUpdated", "google.storage.object.metadataUpdate"),
    storage(
        *("storage-generation", "finalized", "google.storage.object.finalize"),
        generation="#1760000000000000",
    ),
    database(
        *("database-created", ("create", "created"), "firebaseio.com", "us-central1"),
        *(None, {"online": True}),
    ),
    database(
        *("database-written", ("write", "written"), "firebaseio.com", "us-central1"),
        *({"online": True}, "away"),
    ),
    database(
        *("database-updated", ("update", "updated")),
        *("europe-west1.firebasedatabase.app", "europe-west1"),
        *({"online": True}, {"online": False}),
    ),
    database(
        *("database-deleted", ("delete", "deleted")),
        *("asia-southeast1.firebasedatabase.app", "asia-southeast1"),
        *([1, 2.5, "three"], None),
    ),
    auth("auth-created", "created", "create"),
    auth("auth-deleted", "deleted", "delete"),
]
