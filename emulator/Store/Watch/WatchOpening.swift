package import Core
package import FirestoreModel

/// A check of whether a listener may listen to a target, such as one by security rules.
///
/// The store calls it under its lock, so it must be quick and must not call the store. The store
/// calls it when the target is added, before a change of a document that the last result depends
/// on is sent, and in `repeatWatchChecks`. If it throws, the listener loses the target, and gets
/// the error.
///
/// It returns the documents that the result depends on. They need not exist.
package typealias WatchCheck =
  @Sendable (DatabaseState) throws(StatusError) -> Set<ResourcePath>

/// The initial result of a target. It is read in pieces, and later changes follow as events.
package struct WatchOpening: Sendable {
  enum Source: Sendable {
    case changes(ArraySlice<WatchChange>)
    case cursor(QueryCursor)
    /// The documents that are newer than a time in microseconds, and the names of all documents in
    /// the result.
    case newer(than: Int64, QueryCursor)
  }

  /// The listener's number for the target.
  package let target: Int32
  package let request: WatchRequest
  /// The number of the watch, which events refer to.
  package let watch: Int
  package let readTime: Timestamp
  /// A Boolean value that indicates whether the client must discard the result that it knows.
  package let isReset: Bool
  /// A Boolean value that indicates whether the target was added before and starts again.
  package let isRestart: Bool
  private var source: Source
  /// The names of all documents in the result, or `nil` if the client can derive them from the
  /// changes.
  ///
  /// The names are complete when the last piece has been read.
  package private(set) var existing: [DocumentName]?

  init(
    _ source: Source,
    of request: WatchRequest,
    target: Int32,
    watch: Int,
    at readTime: Timestamp,
    isReset: Bool,
    isRestart: Bool
  ) {
    self.target = target
    self.request = request
    self.watch = watch
    self.readTime = readTime
    self.isReset = isReset
    self.isRestart = isRestart
    self.source = source
    if case .newer = source { existing = [] }
  }

  /// Returns the next piece, which is empty at the end.
  ///
  /// - Throws: `ABORTED` if the state that is read is no longer in the history. In this case call
  ///   `watchAgain`.
  package mutating func next(_ count: Int) throws(StatusError) -> [WatchChange] {
    switch source {
    case .changes(let changes):
      source = .changes(changes.dropFirst(count))
      return Array(changes.prefix(count))
    case .cursor(let cursor): return try cursor.next(count).map(WatchChange.present)
    case .newer(let earlier, let cursor):
      while true {
        let documents = try cursor.next(count)
        if documents.isEmpty { return [] }
        existing? += documents.map(\.name)
        let newer = documents.filter { $0.updateTime?.microseconds ?? .max > earlier }
        if !newer.isEmpty { return newer.map(WatchChange.present) }
      }
    }
  }
}

/// A listener's request: a target, and the state to resume from.
package struct WatchRequest: Sendable {
  /// The earlier state of the result that the listener knows.
  package enum Resumption: Hashable, Sendable {
    case nothing
    /// The state that a resume token identifies, or `nil` if the token is invalid. The token may
    /// come from another run.
    case token(ResumeToken?)
    case readTime(Timestamp)
  }

  package var target: WatchTarget
  package var resumption: Resumption
  /// The number of documents that the listener knows, or `nil` if the request doesn't have it.
  ///
  /// A listener that sends this number can resume even from a state that was dropped. It gets the
  /// names of all documents in the result, and removes its other documents.
  package var expectedCount: Int?
  /// A check that the listener must pass, or `nil` if there is none.
  package var check: WatchCheck?
  /// A Boolean value that indicates whether the listener wants only the current result, without
  /// later changes.
  package var isOnce: Bool

  package init(
    _ target: WatchTarget,
    resumption: Resumption = .nothing,
    expectedCount: Int? = nil,
    isOnce: Bool = false,
    check: WatchCheck? = nil
  ) {
    self.target = target
    self.resumption = resumption
    self.expectedCount = expectedCount
    self.isOnce = isOnce
    self.check = check
  }
}
