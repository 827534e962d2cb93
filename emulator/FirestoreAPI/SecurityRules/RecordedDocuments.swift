import Core
import FirestoreModel
import Rules

/// The documents that rules have read for a request, in the order of the reads. There are few.
struct RecordedDocuments: DocumentReader, Sendable {
  struct Read: Sendable {
    /// The segments of the complete path.
    let path: [String]
    /// A Boolean value that indicates whether the document is read as it is after the request.
    let isAfterwards: Bool
    let fields: Fields?
  }

  fileprivate(set) var reads: [Read] = []

  func document(at path: [String]) -> Fields? { fields(at: path, isAfterwards: false) }

  func documentAfterwards(at path: [String]) -> Fields? { fields(at: path, isAfterwards: true) }

  private func fields(at path: [String], isAfterwards: Bool) -> Fields? {
    let read = reads.first { read in
      read.isAfterwards == isAfterwards && read.path.count == path.count
        && zip(read.path, path).allSatisfy { $0.hasSameBytes(as: $1) }
    }
    return read?.fields
  }
}

/// A reader that records the documents that it reads.
final class RecordingReader: DocumentReader {
  private let reader: any DocumentReader
  private(set) var documents = RecordedDocuments()

  init(_ reader: any DocumentReader) { self.reader = reader }

  func document(at path: [String]) -> Fields? {
    let fields = reader.document(at: path)
    documents.reads.append(.init(path: path, isAfterwards: false, fields: fields))
    return fields
  }

  func documentAfterwards(at path: [String]) -> Fields? {
    let fields = reader.documentAfterwards(at: path)
    documents.reads.append(.init(path: path, isAfterwards: true, fields: fields))
    return fields
  }
}
