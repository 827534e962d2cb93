import Core

/// A CloudEvents type of Firestore, such as `google.cloud.firestore.document.v1.created`.
package struct EventType: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable, CaseIterable {
    case created, updated, deleted
    /// A creation, an update or a deletion.
    case written
  }

  package var kind: Kind
  /// A Boolean value that indicates whether the event names the author of the change
  /// (`….withAuthContext`).
  package var hasAuthContext: Bool

  package init(_ kind: Kind, hasAuthContext: Bool = false) {
    self.kind = kind
    self.hasAuthContext = hasAuthContext
  }

  /// Creates a type from the name of a CloudEvents type, or returns `nil` if it isn't a type of
  /// Firestore's document events.
  package init?(_ type: String) {
    guard type.isASCII, type.hasPrefix(Self.prefix) else { return nil }
    var name = type.dropFirst(Self.prefix.count)
    hasAuthContext = name.hasSuffix(Self.suffix)
    if hasAuthContext { name = name.dropLast(Self.suffix.count) }
    guard let kind = Kind(rawValue: String(name)) else { return nil }
    self.kind = kind
  }

  /// Creates a type from a first-generation name, or returns `nil` for any other name.
  ///
  /// - Parameter type: A name such as `providers/cloud.firestore/eventTypes/document.create`.
  package init?(firstGeneration type: String) {
    guard type.isASCII else { return nil }
    switch type {
    case Self.firstGenerationPrefix + "create": self.init(.created)
    case Self.firstGenerationPrefix + "update": self.init(.updated)
    case Self.firstGenerationPrefix + "delete": self.init(.deleted)
    case Self.firstGenerationPrefix + "write": self.init(.written)
    default: return nil
    }
  }

  /// The first-generation name, which can't express `hasAuthContext`.
  package var firstGeneration: String {
    let action =
      switch kind {
      case .created: "create"
      case .updated: "update"
      case .deleted: "delete"
      case .written: "write"
      }
    return Self.firstGenerationPrefix + action
  }

  package var description: String {
    Self.prefix + kind.rawValue + (hasAuthContext ? Self.suffix : "")
  }

  /// Returns whether a trigger on this type accepts a change of the given kind.
  package func includes(_ change: Kind) -> Bool { kind == .written || kind == change }

  /// Returns a Boolean value that indicates whether a name is of an event on accounts, in either
  /// generation.
  private static func isOfAuthentication(_ name: String) -> Bool {
    name.hasPrefix("google.firebase.auth.") || name.hasPrefix("providers/firebase.auth/")
  }

  private static let prefix = "google.cloud.firestore.document.v1."
  private static let suffix = ".withAuthContext"
  private static let firstGenerationPrefix = "providers/cloud.firestore/eventTypes/document."
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
          : "not a Firestore event type"
      )
    }
    self = type
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
