import Core
import FirestoreModel

/// A reader of the names in a request, nearly all of which begin with the name of one database.
struct NameReader {
  let database: DatabaseName
  private let prefix: String

  init(_ database: DatabaseName) {
    self.database = database
    prefix = "\(database)/documents/"
  }

  /// Returns the name of a document.
  ///
  /// - Throws: `INVALID_ARGUMENT` for text that isn't a document's name.
  func document(_ name: String) throws(StatusError) -> DocumentName {
    guard name.utf8.starts(with: prefix.utf8) else { return try DocumentName(name) }
    let path = name.utf8.dropFirst(prefix.utf8.count)
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    do throws(StatusError) {
      return try DocumentName(
        database: database,
        // The parts of a valid string between slashes are valid strings, too.
        path: ResourcePath(segments: segments.map { String(Substring($0)) })
      )
    } catch {
      throw NameGrammar.fault(in: name, as: .document) ?? error
    }
  }

  /// Returns the name of a document in this database.
  ///
  /// - Throws: `INVALID_ARGUMENT` for text that isn't a document's name, and for another database.
  func ownDocument(_ name: String) throws(StatusError) -> DocumentName {
    let document = try document(name)
    guard document.database == database else {
      throw StatusError(
        .invalidArgument,
        "Document \(quoted(name)) is not in the request's database \(database)."
      )
    }
    return document
  }
}
