/// The services whose events have a form in both generations.
///
/// Source: the mapping that Google's conformance tests of the Functions Framework ask for.
enum EventService: String, CaseIterable {
  case firestore = "firestore.googleapis.com"
  case pubsub = "pubsub.googleapis.com"
  case storage = "storage.googleapis.com"
  case database = "firebasedatabase.googleapis.com"
  case auth = "firebaseauth.googleapis.com"
  case analytics = "firebase.googleapis.com"

  /// How the names of its first generation's types begin.
  private var prefixes: [String] {
    switch self {
    case .firestore: ["providers/cloud.firestore/"]
    case .pubsub: ["google.pubsub.", "providers/cloud.pubsub/"]
    case .storage: ["google.storage.", "providers/cloud.storage/"]
    case .database: ["providers/google.firebase.database/"]
    case .auth: ["providers/firebase.auth/"]
    case .analytics: ["providers/google.firebase.analytics/"]
    }
  }

  init?(firstGenerationType type: String) {
    let service = Self.allCases.first { service in
      service.prefixes.contains { type.hasPrefix($0) }
    }
    guard let service else { return nil }
    self = service
  }

  /// Pairs of types, the first generation's first. Of two that mean the same, the one that counts
  /// on the way back stands first.
  static let types: [(firstGeneration: String, cloudEvent: String)] = [
    ("google.pubsub.topic.publish", "google.cloud.pubsub.topic.v1.messagePublished"),
    (
      "providers/cloud.pubsub/eventTypes/topic.publish",
      "google.cloud.pubsub.topic.v1.messagePublished"
    ),
    ("google.storage.object.finalize", "google.cloud.storage.object.v1.finalized"),
    ("google.storage.object.delete", "google.cloud.storage.object.v1.deleted"),
    ("google.storage.object.archive", "google.cloud.storage.object.v1.archived"),
    ("google.storage.object.metadataUpdate", "google.cloud.storage.object.v1.metadataUpdated"),
    (
      "providers/cloud.storage/eventTypes/object.change",
      "google.cloud.storage.object.v1.finalized"
    ),
    (
      "providers/cloud.firestore/eventTypes/document.write",
      "google.cloud.firestore.document.v1.written"
    ),
    (
      "providers/cloud.firestore/eventTypes/document.create",
      "google.cloud.firestore.document.v1.created"
    ),
    (
      "providers/cloud.firestore/eventTypes/document.update",
      "google.cloud.firestore.document.v1.updated"
    ),
    (
      "providers/cloud.firestore/eventTypes/document.delete",
      "google.cloud.firestore.document.v1.deleted"
    ),
    ("providers/firebase.auth/eventTypes/user.create", "google.firebase.auth.user.v1.created"),
    ("providers/firebase.auth/eventTypes/user.delete", "google.firebase.auth.user.v1.deleted"),
    (
      "providers/google.firebase.analytics/eventTypes/event.log",
      "google.firebase.analytics.log.v1.written"
    ),
    (
      "providers/google.firebase.database/eventTypes/ref.create",
      "google.firebase.database.ref.v1.created"
    ),
    (
      "providers/google.firebase.database/eventTypes/ref.write",
      "google.firebase.database.ref.v1.written"
    ),
    (
      "providers/google.firebase.database/eventTypes/ref.update",
      "google.firebase.database.ref.v1.updated"
    ),
    (
      "providers/google.firebase.database/eventTypes/ref.delete",
      "google.firebase.database.ref.v1.deleted"
    ),
  ]
}
