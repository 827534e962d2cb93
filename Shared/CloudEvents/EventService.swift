import FunctionRuntime

/// The services whose events exist in both generations.
///
/// Source: the mapping that Google's conformance tests of the Functions Framework require.
enum EventService: String {
  case firestore = "firestore.googleapis.com"
  case pubsub = "pubsub.googleapis.com"
  case storage = "storage.googleapis.com"
  case database = "firebasedatabase.googleapis.com"
  case auth = "firebaseauth.googleapis.com"

  /// The names of an event type in both generations.
  struct EventTypeNames {
    let service: EventService
    let firstGeneration: String
    let cloudEvent: String
  }

  /// All event types. If a CloudEvent type has several first-generation names, the first one is
  /// used.
  static let types: [EventTypeNames] = {
    let documents = EventType.Subject.document.kinds.map { kind in
      let type = EventType(kind)
      return EventTypeNames(
        service: .firestore,
        firstGeneration: type.firstGeneration,
        cloudEvent: type.description
      )
    }
    let others = families.flatMap { service, old, new, ends in
      ends.map { EventTypeNames(service: service, firstGeneration: old + $0, cloudEvent: new + $1) }
    }
    return documents + others
  }()

  /// The event types by service: the prefixes of their first-generation and CloudEvents names, and
  /// the pairs of suffixes that follow these prefixes.
  private static let families: [(EventService, String, String, KeyValuePairs<String, String>)] = [
    (
      .pubsub, "google.pubsub.topic.", "google.cloud.pubsub.topic.v1.",
      ["publish": "messagePublished"]
    ),
    (
      .pubsub, "providers/cloud.pubsub/eventTypes/topic.", "google.cloud.pubsub.topic.v1.",
      ["publish": "messagePublished"]
    ),
    (
      .storage, "google.storage.object.", "google.cloud.storage.object.v1.",
      [
        "finalize": "finalized", "delete": "deleted", "archive": "archived",
        "metadataUpdate": "metadataUpdated",
      ]
    ),
    (
      .storage, "providers/cloud.storage/eventTypes/object.", "google.cloud.storage.object.v1.",
      ["change": "finalized"]
    ),
    (
      .database, "providers/google.firebase.database/eventTypes/ref.",
      "google.firebase.database.ref.v1.",
      ["create": "created", "write": "written", "update": "updated", "delete": "deleted"]
    ),
    (
      .auth, "providers/firebase.auth/eventTypes/user.", "google.firebase.auth.user.v1.",
      ["create": "created", "delete": "deleted"]
    ),
  ]
}
