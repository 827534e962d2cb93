import Core
import FirestoreModel

/// A parser of the document names in a request.
///
/// It is fast for names that begin with the request's database, as nearly all do.
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
        // Splitting valid UTF-8 at slashes results in valid UTF-8.
        path: ResourcePath(segments: segments.map { String(Substring($0)) })
      )
    } catch {
      throw NameGrammar.fault(in: name, as: .document) ?? error
    }
  }

  /// Returns the name of a document in this database.
  ///
  /// - Throws: `INVALID_ARGUMENT` for text that isn't a document's name, or for a document in
  ///   another database.
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
