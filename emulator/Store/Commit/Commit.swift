package import FirestoreModel

/// The result of a commit, for its caller and for observers of changes.
package struct Commit: Sendable {
  package let database: DatabaseName
  /// The commit's time, in whole microseconds. It is later than the times of all earlier commits.
  package let time: Timestamp
  /// The results of the writes, in order.
  package let results: [WriteResult]
  /// The net changes, one for each changed document, in the order of the first write to each.
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
  /// The name of the function that made the request, or `nil` if it is unknown.
  ///
  /// Each function has its own Firestore address, so the address that received the request
  /// identifies the function. Other clients use the shared address.
  package var function: String?
  /// A Boolean value that indicates whether the commit triggers functions.
  ///
  /// It is false for an import without triggers. Listeners are notified of such a commit as of any
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
