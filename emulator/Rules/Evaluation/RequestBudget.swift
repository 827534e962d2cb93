import Core

/// What the rules may use for a request or a commit: time, and the documents that they read.
///
/// Reading a document again is free, and so is the document that the request is about. In rules of
/// Firestore, whether a document exists is counted apart from its content, as in Google's emulator;
/// in rules of Storage it isn't, as in production.
package struct RequestBudget: Sendable {
  fileprivate struct Access {
    let isExistence: Bool
    let path: [String]
  }

  /// The time for all decisions of a request. The store is locked meanwhile. Most decisions take
  /// microseconds, so only rules that multiply large data meet this limit.
  package static let time: Duration = .seconds(2)

  private var deadline: ContinuousClock.Instant
  /// The most reads for one document or query.
  private let limit: Int
  /// The most reads for all documents of a commit.
  private let total: Int
  /// A Boolean value that indicates whether the existence of a document is counted apart.
  private let countsExistence: Bool
  private var all: [Access] = []
  private var current: [Access] = []

  private init(limit: Int, total: Int, time: Duration, countsExistence: Bool = true) {
    self.limit = limit
    self.total = total
    self.countsExistence = countsExistence
    deadline = .now + time
  }

  /// The budget of a request for one document: 10 documents.
  package static func ofDocument(time: Duration = time) -> RequestBudget {
    RequestBudget(limit: 10, total: 10, time: time)
  }

  /// The budget of a query: 20 documents.
  package static func ofQuery() -> RequestBudget { RequestBudget(limit: 20, total: 20, time: time) }

  /// The budget of a commit: 10 documents for each write, 20 for several writes together.
  package static func ofCommit(writeCount: Int) -> RequestBudget {
    writeCount > 1 ? RequestBudget(limit: 10, total: 20, time: time) : .ofDocument()
  }

  /// The budget of a request to Cloud Storage: 2 documents.
  package static func ofObject(time: Duration = time) -> RequestBudget {
    RequestBudget(limit: 2, total: 2, time: time, countsExistence: false)
  }

  /// The approximate bytes of the paths that it keeps.
  package var size: Int {
    (all + current).reduce(0) { $0 + $1.path.reduce(32) { $0 + $1.utf8.count + 16 } }
  }

  /// Gives the rules all of their time again.
  mutating func restartClock() { deadline = .now + Self.time }

  /// Begins the decision on the next document of a commit.
  mutating func beginDocument() { current = [] }

  /// A Boolean value that indicates whether there is no time left.
  var isExpired: Bool { ContinuousClock.now >= deadline }

  /// Records a read, and returns whether it is within the limits.
  mutating func record(isExistence: Bool, path: [String]) -> Bool {
    let access = Access(isExistence: isExistence && countsExistence, path: path)
    guard !current.contains(access) else { return true }
    guard current.count < limit, all.contains(access) || all.count < total else { return false }
    if !all.contains(access) { all.append(access) }
    current.append(access)
    return true
  }
}

extension RequestBudget.Access: Equatable {
  fileprivate static func == (left: Self, right: Self) -> Bool {
    left.isExistence == right.isExistence && left.path.count == right.path.count
      && zip(left.path, right.path).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}
