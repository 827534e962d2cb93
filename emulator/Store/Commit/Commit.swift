package import FirestoreModel

/// What a commit did, for its caller and for whoever reacts to changes.
package struct Commit: Sendable {
  package let database: DatabaseName
  /// After the time of every earlier commit, in whole microseconds.
  package let time: Timestamp
  /// One for each write, in order.
  package let results: [WriteResult]
  /// One for each document that is now different, in the order of the first write to it.
  package let changes: [DocumentChange]
  package let cause: CommitCause
}

/// Who asked for a commit, and within which trace.
package struct CommitCause: Hashable, Sendable {
  package enum Caller: Hashable, Sendable {
    /// A server or a tool, which no security rule binds.
    case admin
    case user(uid: String)
    case unauthenticated
    /// A TTL policy.
    case expiry
  }

  /// W3C trace context, as the request carried it.
  package var traceparent: String?
  package var caller: Caller
  /// The function at whose address of Firestore the request came in; nil at everybody's.
  package var function: String?
  /// False for an import that functions are not to see; who reads or listens sees it as any other.
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
