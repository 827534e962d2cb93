/// The format of an export on disk.
package enum ExportFormat: String, Sendable, CaseIterable {
  /// The emulator's own format: one line of JSON for each document. It loses nothing, and two
  /// exports are easy to compare.
  case ndjson
  /// Google's format, which its emulator and its cloud read and write. It doesn't contain the
  /// create and update times of documents.
  case google
}

/// A summary of an export or import: the numbers of documents by database ID, and the data of other
/// services.
package struct TransferSummary: Sendable, Hashable {
  package struct Database: Sendable, Hashable {
    package var database: String
    package var documents: Int
  }

  package var databases: [Database] = []
  /// The data of other services that was written or read, as texts such as `4 accounts`.
  package var services: [String] = []
  /// The other Firebase services in the export, whose data was not imported.
  package var ignored: [String]

  package init(databases: [Database] = [], ignored: [String] = []) {
    self.databases = databases
    self.ignored = ignored
  }

  package var documents: Int { databases.reduce(0) { $0 + $1.documents } }
}
