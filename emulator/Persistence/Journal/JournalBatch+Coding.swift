import Core
import FirestoreModel
import FirestoreProtos
import Store
import SwiftProtobuf

extension ProtoJournalBatch {
  /// The approximate maximum size of a batch, in bytes. It bounds the amount of data that is read
  /// and folded at a time.
  private static let targetBytes = 4 << 20

  /// Returns the document changes of journal entries as one batch, or as several batches if one
  /// would be too large.
  ///
  /// If the entries are only records, the batch is empty. It is written nevertheless: batches
  /// have consecutive numbers, so that a gap reveals a lost transaction.
  static func batches(of entries: [JournalEntry]) throws -> [Data] {
    var encoded: [Data] = []
    var batch = ProtoJournalBatch()
    var bytes = 0
    for entry in entries {
      switch entry {
      case .clear(let name, let time):
        batch.steps.append(
          .with { step in
            step.database = name.description
            step.time = time.microseconds
            step.clears = true
          }
        )
      case .commit(let commit):
        batch.steps.append(.init(commit))
        for change in commit.changes {
          let change = try ProtoJournalChange(change)
          if bytes > targetBytes {
            encoded.append(try batch.serializedData())
            batch.steps = [.init(commit)]
            bytes = 0
          }
          bytes += change.path.utf8.count + change.document.count
          batch.steps[batch.steps.count - 1].changes.append(change)
        }
      case .record: break
      }
    }
    encoded.append(try batch.serializedData())
    return encoded
  }
}

extension ProtoJournalStep {
  fileprivate init(_ commit: Commit) {
    self.init()
    database = commit.database.description
    time = commit.time.microseconds
  }
}

extension ProtoJournalChange {
  fileprivate init(_ change: DocumentChange) throws {
    self.init()
    path = change.name.path.description
    if let after = change.after { document = try StoredDocument.encode(after) }
  }
}

/// The stored form of a document: Firestore's protobuf message without the name.
enum StoredDocument {
  static func encode(_ document: Document) throws -> Data {
    try ProtoDocument(document, name: "").serializedData()
  }

  /// Decodes a stored document.
  ///
  /// - Parameter path: The document's path, in UTF-8.
  static func decode(_ content: Data, path: Data, in database: DatabaseName) throws -> Document {
    let path = try ResourcePath(String(decoding: path, as: UTF8.self))
    return try Document(
      ProtoDocument(serializedBytes: content),
      name: DocumentName(database: database, path: path)
    )
  }
}
