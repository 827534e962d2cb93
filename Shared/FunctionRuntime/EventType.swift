import Core

/// A CloudEvents type that triggers functions, such as
/// `google.cloud.firestore.document.v1.created`.
package struct EventType: Hashable, Sendable, CustomStringConvertible {
  /// The kind of data whose changes are events.
  package enum Subject: Sendable, CaseIterable {
    /// A document of Firestore.
    case document
    /// A node of the Realtime Database, which its events call a reference.
    case reference
    /// An object of Cloud Storage.
    case object

    /// The kinds of changes that have events.
    package var kinds: [Kind] {
      switch self {
      case .document, .reference: [.created, .updated, .deleted, .written]
      case .object: [.finalized, .deleted, .metadataUpdated]
      }
    }

    fileprivate var prefix: String {
      switch self {
      case .document: "google.cloud.firestore.document.v1."
      case .reference: "google.firebase.database.ref.v1."
      case .object: "google.cloud.storage.object.v1."
      }
    }

    fileprivate var firstGenerationPrefix: String {
      switch self {
      case .document: "providers/cloud.firestore/eventTypes/document."
      case .reference: "providers/google.firebase.database/eventTypes/ref."
      case .object: "google.storage.object."
      }
    }
  }

  /// A kind of change. Each subject has some of them.
  package enum Kind: String, Sendable {
    case created, updated, deleted
    /// A creation, an update or a deletion.
    case written
    /// The creation of an object, or of a new generation in place of an object.
    case finalized
    /// A change of an object's metadata alone.
    case metadataUpdated

    fileprivate var firstGeneration: String {
      switch self {
      case .created: "create"
      case .updated: "update"
      case .deleted: "delete"
      case .written: "write"
      case .finalized: "finalize"
      case .metadataUpdated: "metadataUpdate"
      }
    }
  }

  package var subject: Subject
  package var kind: Kind
  /// A Boolean value that indicates whether the event of a document names the author of the change
  /// (`….withAuthContext`). Events of references always do, and events of objects never.
  package var hasAuthContext: Bool

  /// Creates a type. The kind is one of the subject's.
  package init(_ kind: Kind, of subject: Subject = .document, hasAuthContext: Bool = false) {
    precondition(subject.kinds.contains(kind), "no events of this subject are \(kind)")
    self.subject = subject
    self.kind = kind
    self.hasAuthContext = hasAuthContext
  }

  /// Creates a type from the name of a CloudEvents type, or returns `nil` if no function can have a
  /// trigger of this type.
  package init?(_ type: String) {
    guard type.isASCII,
      let subject = Subject.allCases.first(where: { type.hasPrefix($0.prefix) })
    else { return nil }
    var name = type.dropFirst(subject.prefix.count)
    hasAuthContext = subject == .document && name.hasSuffix(Self.suffix)
    if hasAuthContext { name = name.dropLast(Self.suffix.count) }
    guard let kind = Kind(rawValue: String(name)), subject.kinds.contains(kind) else { return nil }
    self.subject = subject
    self.kind = kind
  }

  /// Creates a type from a first-generation name, or returns `nil` for any other name.
  ///
  /// - Parameter type: A name such as `providers/cloud.firestore/eventTypes/document.create`.
  package init?(firstGeneration type: String) {
    guard type.isASCII,
      let subject = Subject.allCases.first(where: { type.hasPrefix($0.firstGenerationPrefix) }),
      let kind = subject.kinds.first(where: {
        type == subject.firstGenerationPrefix + $0.firstGeneration
      })
    else { return nil }
    self.init(kind, of: subject)
  }

  /// The first-generation name, which can't express `hasAuthContext`.
  package var firstGeneration: String { subject.firstGenerationPrefix + kind.firstGeneration }

  package var description: String {
    subject.prefix + kind.rawValue + (hasAuthContext ? Self.suffix : "")
  }

  /// Returns whether a trigger on this type accepts a change of the given kind.
  package func includes(_ change: Kind) -> Bool { kind == .written || kind == change }

  /// Returns a Boolean value that indicates whether a name is of an event on accounts, in either
  /// generation.
  private static func isOfAuthentication(_ name: String) -> Bool {
    name.hasPrefix("google.firebase.auth.") || name.hasPrefix("providers/firebase.auth/")
  }

  /// Returns the reason why no function can have a trigger with a name.
  private static func fault(of name: String) -> String {
    if isOfAuthentication(name) {
      return "an event of Authentication, which functions on Cloud Run can't get"
    }
    if name.hasSameBytes(as: Subject.object.prefix + "archived") {
      return "an event of buckets with Object Versioning, which the emulator doesn't have"
    }
    return "not an event type of Firestore, the Realtime Database or Cloud Storage"
  }

  private static let suffix = ".withAuthContext"
}

extension EventType: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let type = EventType(name) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: Self.fault(of: name)
      )
    }
    self = type
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
