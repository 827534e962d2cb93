import Core
import FirestoreModel
import Rules

/// The documents that rules have read for a request.
struct RecordedDocuments: DocumentReader, Sendable {
  let database: DatabaseName
  fileprivate(set) var before: [ResourcePath: Fields?] = [:]
  fileprivate(set) var after: [ResourcePath: Fields?] = [:]

  init(of database: DatabaseName) { self.database = database }

  func document(at path: [String]) -> Fields? {
    database.path(ofSegments: path).flatMap { before[$0] ?? nil }
  }

  func documentAfterwards(at path: [String]) -> Fields? {
    database.path(ofSegments: path).flatMap { after[$0] ?? nil }
  }
}

/// A reader that records the documents that it reads.
final class RecordingReader: DocumentReader {
  private let reader: any DocumentReader
  private(set) var documents: RecordedDocuments

  init(_ reader: any DocumentReader, of database: DatabaseName) {
    self.reader = reader
    documents = RecordedDocuments(of: database)
  }

  func document(at path: [String]) -> Fields? {
    let fields = reader.document(at: path)
    if let path = documents.database.path(ofSegments: path) {
      documents.before[path] = .some(fields)
    }
    return fields
  }

  func documentAfterwards(at path: [String]) -> Fields? {
    let fields = reader.documentAfterwards(at: path)
    if let path = documents.database.path(ofSegments: path) {
      documents.after[path] = .some(fields)
    }
    return fields
  }
}
