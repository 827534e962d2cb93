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

    fileprivate var prefix: String {
      switch self {
      case .document: "google.cloud.firestore.document.v1."
      case .reference: "google.firebase.database.ref.v1."
      }
    }

    fileprivate var firstGenerationPrefix: String {
      switch self {
      case .document: "providers/cloud.firestore/eventTypes/document."
      case .reference: "providers/google.firebase.database/eventTypes/ref."
      }
    }
  }

  package enum Kind: String, Sendable, CaseIterable {
    case created, updated, deleted
    /// A creation, an update or a deletion.
    case written

    fileprivate var firstGeneration: String {
      switch self {
      case .created: "create"
      case .updated: "update"
      case .deleted: "delete"
      case .written: "write"
      }
    }
  }

  package var subject: Subject
  package var kind: Kind
  /// A Boolean value that indicates whether the event of a document names the author of the change
  /// (`….withAuthContext`). Events of references always do.
  package var hasAuthContext: Bool

  package init(_ kind: Kind, of subject: Subject = .document, hasAuthContext: Bool = false) {
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
    guard let kind = Kind(rawValue: String(name)) else { return nil }
    self.subject = subject
    self.kind = kind
  }

  /// Creates a type from a first-generation name, or returns `nil` for any other name.
  ///
  /// - Parameter type: A name such as `providers/cloud.firestore/eventTypes/document.create`.
  package init?(firstGeneration type: String) {
    guard type.isASCII,
      let subject = Subject.allCases.first(where: { type.hasPrefix($0.firstGenerationPrefix) }),
      let kind = Kind.allCases.first(where: {
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

  private static let suffix = ".withAuthContext"
}

extension EventType: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let type = EventType(name) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: Self.isOfAuthentication(name)
          ? "an event of Authentication, which functions on Cloud Run can't get"
          : "not an event type of Firestore or the Realtime Database"
      )
    }
    self = type
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
