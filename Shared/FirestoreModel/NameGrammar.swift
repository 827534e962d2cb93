package import Core

/// A parser that finds the first error in a resource name, with the messages of Firestore's own
/// parser. It is used only after a faster parser has rejected the name.
package struct NameGrammar {
  /// The kind of resource that was expected.
  package enum Subject: String {
    case database = "Database name"
    case document = "Document name"
    /// The root or a document.
    case parent = "Document parent name"
  }

  private static let slash = UInt16(UInt8(ascii: "/"))

  private let name: String
  private let subject: Subject
  /// The UTF-16 code units: Firestore's messages count positions in them, as Java does.
  private let units: [UInt16]
  private var position = 0

  private init(_ name: String, _ subject: Subject) {
    self.name = name
    self.subject = subject
    units = Array(name.utf16)
  }

  /// Returns the first error in a name.
  ///
  /// - Returns: `INVALID_ARGUMENT`, or `nil` if the format is right. In that case one of the IDs
  ///   must be invalid.
  package static func fault(in name: String, as subject: Subject) -> StatusError? {
    var grammar = NameGrammar(name, subject)
    do throws(StatusError) {
      try grammar.check()
      return nil
    } catch {
      return error
    }
  }

  private var isAtEnd: Bool { position == units.count }

  private mutating func check() throws(StatusError) {
    try skip("projects")
    try skipSlash()
    try skipID("project")
    try skipSlash()
    try skip("databases")
    try skipSlash()
    try skipID("database")
    if subject == .database {
      if isAtEnd { return }
      try skipSlash()
      position -= 1
      throw fault("has extra characters at index \(position)")
    }
    try skipSlash()
    try skip("documents")
    if isAtEnd {
      if subject == .parent { return }
      throw fault(
        "is invalid: Omit \"/documents\" when referencing a database (except as the parent of a "
          + "document)"
      )
    }
    try skipSlash(atEnd: "is invalid: Omit trailing \"/\"")
    while true {
      try skipID("collection")
      try skipSlash()
      try skipID("resource")
      if isAtEnd { return }
      try skipSlash()
    }
  }

  private mutating func skip(_ word: String) throws(StatusError) {
    guard units[position...].starts(with: word.utf16) else {
      throw fault("lacks \"\(word)\" at index \(position)")
    }
    position += word.utf16.count
  }

  private mutating func skipSlash(
    atEnd problem: String = "has invalid trailing \"/\""
  ) throws(StatusError) {
    guard !isAtEnd, units[position] == Self.slash else {
      throw fault("lacks \"/\" at index \(position)")
    }
    position += 1
    if isAtEnd { throw fault(problem) }
  }

  private mutating func skipID(_ kind: String) throws(StatusError) {
    let id = units[position...].prefix { $0 != Self.slash }
    if id.isEmpty { throw fault("lacks a \(kind) id at index \(position)") }
    let text = String(decoding: id, as: UTF16.self)
    if text.hasSameBytes(as: ".") || text.hasSameBytes(as: "..") {
      throw fault("contains a \(kind) id \"\(text)\" at index \(position)")
    }
    position += id.count
  }

  /// Returns an error that quotes the name. A name of more than 1,000 UTF-16 code units is cut
  /// after 1,000 Unicode scalars.
  private func fault(_ problem: String) -> StatusError {
    let shown = units.count <= 1_000 ? name : String(name.unicodeScalars.prefix(1_000)) + "…"
    return StatusError(.invalidArgument, "\(subject.rawValue) \"\(shown)\" \(problem).")
  }
}
