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
  /// Services of Firebase whose data is in the export too and was left there.
  package var ignored: [String]

  package init(databases: [Database] = [], ignored: [String] = []) {
    self.databases = databases
    self.ignored = ignored
  }

  package var documents: Int { databases.reduce(0) { $0 + $1.documents } }
}
