package import Core

/// A database's name, `projects/{project}/databases/{database}`. The default database's ID is
/// literally `(default)`.
package struct DatabaseName: Hashable, Sendable, CustomStringConvertible {
  package let project: String
  package let database: String

  package init(project: String, database: String = "(default)") {
    self.project = project
    self.database = database
  }

  /// Creates a name by parsing a string.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a name in another format.
  package init(_ name: String) throws(StatusError) {
    let parts = name.splitAtSlashes
    guard parts.count == 4, parts[0].hasSameBytes(as: "projects"),
      parts[2].hasSameBytes(as: "databases"), Self.isID(parts[1]), Self.isID(parts[3])
    else {
      throw NameGrammar.fault(in: name, as: .database)
        ?? StatusError(.invalidArgument, "Database name \(quoted(name)) is not valid.")
    }
    self.init(project: parts[1], database: parts[3])
  }

  package static func == (left: DatabaseName, right: DatabaseName) -> Bool {
    left.project.hasSameBytes(as: right.project) && left.database.hasSameBytes(as: right.database)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ByteKey(project))
    hasher.combine(ByteKey(database))
  }

  /// Returns whether a text can be the ID of a project or database. IDs of up to 128 bytes are
  /// accepted, although Google's have at most 63.
  static func isID(_ text: String) -> Bool { (1...128).contains(text.utf8.count) }

  package var description: String { "projects/" + project + "/databases/" + database }

  /// The parent resource of the top-level collections.
  package var documents: String { description + "/documents" }
}

/// A document's full name, `projects/{p}/databases/{d}/documents/{collection}/{id}…`.
package struct DocumentName: Hashable, Sendable, CustomStringConvertible {
  package let database: DatabaseName
  /// The document's path; it has an even number of segments, at least two.
  package let path: ResourcePath

  /// Creates the name of the document at a path.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the path names a collection or the root.
  package init(database: DatabaseName, path: ResourcePath) throws(StatusError) {
    guard path.isDocument else {
      throw StatusError(
        .invalidArgument,
        "Document path \(quoted(path.description)) needs an even number of segments."
      )
    }
    self.database = database
    self.path = path
  }

  package init(_ name: String) throws(StatusError) {
    do throws(StatusError) {
      let resource = try ResourceName(name)
      try self.init(database: resource.database, path: resource.path)
    } catch {
      throw NameGrammar.fault(in: name, as: .document) ?? error
    }
  }

  package var description: String {
    // Every request formats several names, and appending is faster than interpolation.
    var text = database.documents
    for segment in path.segments {
      text += "/"
      text += segment
    }
    return text
  }

  /// The document's ID, which is the last segment.
  package var id: String { path.id }
}

/// The name of a resource at or below `…/documents`: the root, a collection or a document.
package struct ResourceName: Hashable, Sendable, CustomStringConvertible {
  package let database: DatabaseName
  package let path: ResourcePath

  package init(database: DatabaseName, path: ResourcePath = .root) {
    self.database = database
    self.path = path
  }

  /// Creates a name by parsing a string.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a name in another format, or for an ID that Firestore
  ///   refuses.
  package init(_ name: String) throws(StatusError) {
    let parts = name.splitAtSlashes
    guard parts.count >= 5, parts[0].hasSameBytes(as: "projects"),
      parts[2].hasSameBytes(as: "databases"), parts[4].hasSameBytes(as: "documents"),
      DatabaseName.isID(parts[1]), DatabaseName.isID(parts[3])
    else {
      throw NameGrammar.fault(in: name, as: .parent)
        ?? StatusError(.invalidArgument, "Resource name \(quoted(name)) is not valid.")
    }
    self.init(
      database: DatabaseName(project: parts[1], database: parts[3]),
      path: try ResourcePath(segments: Array(parts[5...]))
    )
  }

  package var description: String {
    path.segments.isEmpty ? database.documents : "\(database.documents)/\(path)"
  }
}

// Names are encoded as strings in JSON.

extension DocumentName: Codable {
  package init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { try DocumentName($0) }
  }

  package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
