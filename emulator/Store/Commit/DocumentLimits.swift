import Core
package import FirestoreModel

/// The limits of a stored document. Sizes are computed as in production.
///
/// Source: cloud.google.com/firestore/quotas and …/firestore/docs/storage-size. The error texts are
/// those of production and of Google's emulator.
package enum DocumentLimits {
  static let maximumBytes = 1_048_576
  static let maximumDepth = 20
  static let maximumNameBytes = 1_500
  /// The maximum size of a string or bytes value: a document's maximum size minus the least
  /// overhead.
  static let maximumValueBytes = 1_048_487
  static let maximumDimensions = 2_048

  /// Checks a document against every limit.
  ///
  /// - Throws: `INVALID_ARGUMENT` for the first limit that the document exceeds.
  static func check(_ document: Document) throws(StatusError) {
    try check(document, limits: true)
    let size = size(of: document)
    guard size <= maximumBytes else {
      throw StatusError(
        .invalidArgument,
        "Document '\(document.name)' cannot be written because its size (\(grouped(size)) bytes) "
          + "exceeds the maximum allowed size of \(grouped(maximumBytes)) bytes."
      )
    }
  }

  /// Checks a write's fields, but not their size, length and depth. Those limits apply only to
  /// values that are stored.
  ///
  /// - Throws: `INVALID_ARGUMENT` for the first field that isn't allowed in any document.
  static func checkForm(_ document: Document) throws(StatusError) {
    try check(document, limits: false)
  }

  /// Checks one element of an array.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a value that isn't allowed in an array. A nested array isn't
  ///   refused here, but when the outer array is stored.
  static func checkForm(_ element: Value, in database: DatabaseName) throws(StatusError) {
    try PropertyCheck(name: "", includesLimits: false, allowsBSON: database.isEnterprise)
      .check(element, depth: 0, isElement: false)
  }

  private static func check(_ document: Document, limits: Bool) throws(StatusError) {
    let allowsBSON = document.name.database.isEnterprise
    for (name, value) in document.fields {
      if limits { try checkTopLevel(name: name.string) }
      if name.string.isReservedName {
        throw StatusError(.invalidArgument, "field name \(name.string) is reserved")
      }
      try PropertyCheck(name: name.string, includesLimits: limits, allowsBSON: allowsBSON)
        .check(value, depth: 0, isElement: false)
    }
  }

  /// Checks a field's path.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a path that isn't allowed in any document.
  static func check(_ path: FieldPath) throws(StatusError) {
    if let name = path.segments.first(where: \.string.isReservedName) {
      throw StatusError(.invalidArgument, "Invalid reserved name in field path \(name)")
    }
    if path.segments.contains(where: { $0.utf8.count > maximumNameBytes }) {
      throw StatusError(
        .invalidArgument,
        "The property.name is longer than \(maximumNameBytes) bytes."
      )
    }
    // A path of n names leads through n - 1 maps.
    guard path.segments.count <= maximumDepth + 1 else {
      throw StatusError(
        .invalidArgument,
        "Property \(path.segments[0]) contains an invalid nested entity."
      )
    }
  }

  private static func checkTopLevel(name: String) throws(StatusError) {
    if name.isEmpty {
      throw StatusError(.invalidArgument, "The property.name is the empty string.")
    }
    if name.utf8.count > maximumNameBytes {
      throw StatusError(
        .invalidArgument,
        "The property.name is longer than \(maximumNameBytes) bytes."
      )
    }
  }

  /// Checks a vector.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a vector that can't be stored or searched for.
  static func checkVector(_ vector: Value) throws(StatusError) {
    if case .map(let fields) = vector { try checkVector(fields) }
  }

  static func checkVector(_ fields: Fields) throws(StatusError) {
    let problem: String? =
      if let elements = fields["value"]?.arrayValue {
        if fields.count > 2 {
          "Vector Value map has extraneous entries."
        } else if elements.isEmpty {
          "Cannot have a zero length vector."
        } else if elements.count > maximumDimensions {
          "Vectors must be at most \(maximumDimensions) dimensions."
        } else if !elements.allSatisfy(\.isDouble) {
          "Vector must only contain values of type 'double'"
        } else {
          nil
        }
      } else {
        "Vector Value type must be an array."
      }
    if let problem { throw StatusError(.invalidArgument, problem) }
  }

  // MARK: Size

  /// Returns the billed size of a document in bytes: the sizes of its name and its fields, plus 32.
  package static func size(of document: Document) -> Int {
    size(of: document.name.path) + size(of: document.fields) + 32
  }

  private static func size(of path: ResourcePath) -> Int {
    path.segments.reduce(16) { $0 + $1.utf8.count + 1 }
  }

  private static func size(of fields: Fields) -> Int {
    fields.reduce(0) { $0 + $1.key.utf8.count + 1 + size(of: $1.value) }
  }

  private static func size(of value: Value) -> Int {
    switch value {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .string(let string): string.utf8.count + 1
    case .bytes(let data): data.count
    case .reference(let name):
      (try? DocumentName(name)).map { size(of: $0.path) } ?? name.utf8.count
    case .geoPoint: 16
    case .array(let values): values.reduce(0) { $0 + size(of: $1) }
    case .map(let fields): size(of: fields)
    }
  }

  /// Returns a number with commas between groups of three digits, such as 1,048,576, as in
  /// production's errors.
  private static func grouped(_ number: Int) -> String {
    number < 1_000
      ? String(number)
      : grouped(number / 1_000) + "," + String(String(number % 1_000 + 1_000).dropFirst())
  }
}

extension DatabaseName {
  /// A Boolean value that indicates whether this is an Enterprise database, which supports more
  /// types.
  ///
  /// Requests don't name the edition. To the emulator, a database whose ID begins with `enterprise`
  /// is an Enterprise database.
  fileprivate var isEnterprise: Bool { database.hasPrefix("enterprise") }
}

extension Value {
  fileprivate var isDouble: Bool {
    if case .double = self { true } else { false }
  }
}
