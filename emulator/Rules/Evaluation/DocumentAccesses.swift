import Core

/// The documents that rules read for a request or a commit, and how many they may read.
///
/// Reading a document again is free, and so is the document that the request is about. Whether a
/// document exists is counted apart from its content, as in Google's emulator.
package struct DocumentAccesses: Sendable {
  struct Access {
    let isExistence: Bool
    let path: [String]
  }

  /// The most reads for one document or query.
  private let limit: Int
  /// The most reads for all documents of a commit.
  private let total: Int
  private var all: [Access] = []
  private var current: [Access] = []

  private init(limit: Int, total: Int) {
    self.limit = limit
    self.total = total
  }

  /// The accesses for a request for one document: 10 documents.
  package static var ofDocument: DocumentAccesses { DocumentAccesses(limit: 10, total: 10) }

  /// The accesses for a query: 20 documents.
  package static var ofQuery: DocumentAccesses { DocumentAccesses(limit: 20, total: 20) }

  /// The accesses for a commit: 10 documents for each write, 20 for several writes together.
  package static func ofCommit(writeCount: Int) -> DocumentAccesses {
    writeCount > 1 ? DocumentAccesses(limit: 10, total: 20) : .ofDocument
  }

  /// Begins the next write of a commit.
  mutating func beginRequest() { current = [] }

  /// Records a read, and returns whether it is within the limits.
  mutating func record(_ access: Access) -> Bool {
    guard !current.contains(access) else { return true }
    guard current.count < limit, all.contains(access) || all.count < total else { return false }
    if !all.contains(access) { all.append(access) }
    current.append(access)
    return true
  }
}

extension DocumentAccesses.Access: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.isExistence == right.isExistence && left.path.count == right.path.count
      && zip(left.path, right.path).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}
