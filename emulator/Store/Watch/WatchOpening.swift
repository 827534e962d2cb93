package import Core
package import FirestoreModel

/// A target's answer at the moment from which on its changes are told, read in pieces.
package struct WatchOpening: Sendable {
  enum Source: Sendable {
    case changes(ArraySlice<WatchChange>)
    case cursor(QueryCursor)
    /// Of the answer only what is newer, in microseconds; and the names of all.
    case newer(than: Int64, QueryCursor)
  }

  /// The target's number with its listener.
  package let target: Int32
  package let request: WatchRequest
  /// The number of the watch, by which events name it.
  package let watch: Int
  package let readTime: Timestamp
  /// Whether what the client knew of the answer counts no more.
  package let isReset: Bool
  /// Whether the target was opened before, and this is a new begin.
  package let isRestart: Bool
  private var source: Source
  /// The names of all documents in the answer, if those can't be told from the changes. Complete
  /// after the last piece.
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

  /// The next piece; empty at the end.
  ///
  /// - Throws: `ABORTED` if so much has changed meanwhile that the answer is forgotten: then the
  ///   target has to be opened anew.
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

/// What a listener asks for: a target, and from where on.
package struct WatchRequest: Sendable {
  /// The state of the answer that the listener knows.
  package enum Resumption: Hashable, Sendable {
    case nothing
    /// The state that a token stands for, which may be from anywhere.
    case token(ResumeToken?)
    case readTime(Timestamp)
  }

  package var target: WatchTarget
  package var resumption: Resumption
  /// How many documents the listener knows, if it says so: it then can find out by names which of
  /// them are no more.
  package var expectedCount: Int?
  /// Whether it wants the answer only, and no changes.
  package var isOnce: Bool

  package init(
    _ target: WatchTarget,
    resumption: Resumption = .nothing,
    expectedCount: Int? = nil,
    isOnce: Bool = false
  ) {
    self.target = target
    self.resumption = resumption
    self.expectedCount = expectedCount
    self.isOnce = isOnce
  }
}
