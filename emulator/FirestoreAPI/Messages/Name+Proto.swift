import Core
import FirestoreModel

/// Reads the names in a request, of which nearly all begin with the name of one database.
struct NameReader {
  let database: DatabaseName
  private let prefix: String

  init(_ database: DatabaseName) {
    self.database = database
    prefix = "\(database)/documents/"
  }

  /// - Throws: `INVALID_ARGUMENT` for what isn't a document's name.
  func document(_ name: String) throws(StatusError) -> DocumentName {
    guard name.utf8.starts(with: prefix.utf8) else { return try DocumentName(name) }
    let path = name.utf8.dropFirst(prefix.utf8.count)
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    do throws(StatusError) {
      return try DocumentName(
        database: database,
        // Cut at slashes, a valid string's parts are valid, too.
        path: ResourcePath(segments: segments.map { String(Substring($0)) })
      )
    } catch {
      throw NameGrammar.fault(in: name, as: .document) ?? error
    }
  }

  /// - Throws: The same, and for a document of another database.
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
