package import FirestoreModel

/// The result of a commit, for its caller and for observers of changes.
package struct Commit: Sendable {
  package let database: DatabaseName
  /// The commit's time, in whole microseconds. It is later than that of every earlier commit.
  package let time: Timestamp
  /// The results of the writes, in order.
  package let results: [WriteResult]
  /// The net changes, one for each changed document, in the order of the first writes.
  package let changes: [DocumentChange]
  package let cause: CommitCause
}

/// The caller of a commit, and its trace.
package struct CommitCause: Hashable, Sendable {
  package enum Caller: Hashable, Sendable {
    /// A server or a tool. Security rules don't apply to it.
    case admin
    case user(uid: String)
    case unauthenticated
    /// A TTL policy.
    case expiry
  }

  /// The W3C trace context from the request.
  package var traceparent: String?
  package var caller: Caller
  /// The function whose own Firestore address received the request, or `nil` for the shared
  /// address.
  package var function: String?
  /// A Boolean value that indicates whether the commit triggers functions.
  ///
  /// It is false for an import without triggers. Reads and listeners see such a commit like any
  /// other.
  package var firesTriggers: Bool

  package init(
    traceparent: String? = nil,
    caller: Caller = .admin,
    function: String? = nil,
    firesTriggers: Bool = true
  ) {
    self.traceparent = traceparent
    self.caller = caller
    self.function = function
    self.firesTriggers = firesTriggers
  }
}
