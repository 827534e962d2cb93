/// What an export looks like on disk.
package enum ExportFormat: String, Sendable, CaseIterable {
  /// Ours: one line of JSON a document, exact and easy to compare.
  case ndjson
  /// Google's: what its emulator and its cloud write and read. Times of documents are lost.
  case google
}

/// What was written or read, by database id.
package struct TransferSummary: Sendable, Hashable {
  package struct Database: Sendable, Hashable {
    package var database: String
    package var documents: Int
  }

  package var databases: [Database] = []

  package init(databases: [Database] = []) { self.databases = databases }

  package var documents: Int { databases.reduce(0) { $0 + $1.documents } }
}
