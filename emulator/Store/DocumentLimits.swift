package import FirestoreModel
import Platform
import RPCStatus

/// The limits of a stored document, with production's arithmetic.
///
/// Source: cloud.google.com/firestore/quotas and …/firestore/docs/storage-size; the words are
/// those of production and of Google's emulator.
package enum DocumentLimits {
  static let maximumBytes = 1_048_576
  static let maximumDepth = 20
  static let maximumNameBytes = 1_500
  /// The bytes of a string or bytes value: a document less the least overhead there can be.
  static let maximumValueBytes = 1_048_487
  static let maximumDimensions = 2_048

  /// - Throws: `INVALID_ARGUMENT` for the first limit a document breaks.
  static func check(_ document: Document) throws(StatusError) {
    for (name, value) in document.fields {
      try checkTopLevel(name: name.string)
      try check(
        value,
        property: name.string,
        depth: 0,
        isElement: false,
        allowsBSON: document.name.database.isEnterprise
      )
    }
    let size = size(of: document)
    guard size <= maximumBytes else {
      throw StatusError(
        .invalidArgument,
        "Document '\(document.name)' cannot be written because its size (\(grouped(size)) bytes) "
          + "exceeds the maximum allowed size of \(grouped(maximumBytes)) bytes."
      )
    }
  }

  /// - Throws: `INVALID_ARGUMENT` for a path to a field no document can have.
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
    // The innermost name is in one map fewer than the path has names.
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
    if name.isReservedName {
      throw StatusError(.invalidArgument, "field name \(name) is reserved")
    }
  }

  /// - Parameter depth: How many maps and arrays the value is in.
  private static func check(
    _ value: Value,
    property: String,
    depth: Int,
    isElement: Bool,
    allowsBSON: Bool
  ) throws(StatusError) {
    func invalidNesting() -> StatusError {
      StatusError(.invalidArgument, "Property \(property) contains an invalid nested entity.")
    }
    switch value {
    case .null, .boolean, .integer, .double: break
    case .timestamp(let time):
      guard time.isInFirestoreRange else {
        throw StatusError(
          .invalidArgument,
          "A timestamp is outside of the years 0001 to 9999."
        )
      }
    case .string(let string):
      try checkLength(string.utf8.count, property: property, isNested: depth > 0)
    case .bytes(let data):
      try checkLength(data.count, property: property, isNested: depth > 0)
    case .reference(let name):
      _ = try DocumentName(name)
    case .geoPoint(let latitude, let longitude):
      try check(latitude, "latitude", within: 90)
      try check(longitude, "longitude", within: 180)
    case .array(let elements):
      if isElement {
        throw StatusError(.invalidArgument, "Cannot convert an array value in an array value.")
      }
      guard depth < maximumDepth else { throw invalidNesting() }
      for element in elements {
        try check(
          element,
          property: property,
          depth: depth + 1,
          isElement: true,
          allowsBSON: allowsBSON
        )
      }
    case .map(let fields):
      if fields["__type__"]?.stringValue == "__vector__" {
        if isElement {
          throw StatusError(.invalidArgument, "Cannot convert a vector value in an array value.")
        }
        try checkVector(fields)
        if fields["value"]?.arrayValue?.contains(where: \.isNaN) == true {
          throw StatusError(.invalidArgument, "Vector cannot contain NaN values.")
        }
        return
      }
      if allowsBSON, fields.count == 1, let member = fields.keys.first,
        BSONValue.members.contains(member)
      {
        return try checkBSON(fields, member.string)
      }
      guard depth < maximumDepth else { throw invalidNesting() }
      for (name, value) in fields {
        guard !name.utf8.isEmpty, name.utf8.count <= maximumNameBytes else {
          throw invalidNesting()
        }
        if name.string.isReservedName {
          throw StatusError(.invalidArgument, "field name '\(name)' is reserved.")
        }
        try check(
          value,
          property: property,
          depth: depth + 1,
          isElement: false,
          allowsBSON: allowsBSON
        )
      }
    }
  }

  private static func checkBSON(_ fields: Fields, _ member: String) throws(StatusError) {
    guard let value = BSONValue(fields) else {
      throw StatusError(.invalidArgument, "The value of \(member) is malformed.")
    }
    if case .regularExpression(_, let options) = value,
      let unknown = options.first(where: { !"imsux".contains($0) })
    {
      throw StatusError(
        .invalidArgument,
        "Invalid regex option '\(unknown)'. Supported options are 'i', 'm', 's', 'u', and 'x'."
      )
    }
  }

  private static func checkLength(
    _ count: Int,
    property: String,
    isNested: Bool
  ) throws(StatusError) {
    guard count > maximumValueBytes else { return }
    throw StatusError(
      .invalidArgument,
      isNested
        ? "Property \(property) contains an invalid nested entity."
        : "The value of property \"\(property)\" is longer than \(maximumValueBytes) bytes."
    )
  }

  private static func check(
    _ degrees: Double,
    _ what: String,
    within limit: Double
  ) throws(StatusError) {
    guard abs(degrees) <= limit else {
      let name = degrees.isNaN ? "NaN" : "\(degrees)"
      throw StatusError(
        .invalidArgument,
        "Geo point \(what) '\(name)' outside permitted range -\(limit) to \(limit)."
      )
    }
  }

  /// - Throws: `INVALID_ARGUMENT` for a vector that can't be stored or searched for.
  static func checkVector(_ vector: Value) throws(StatusError) {
    if case .map(let fields) = vector { try checkVector(fields) }
  }

  private static func checkVector(_ fields: Fields) throws(StatusError) {
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

  /// The bytes a document counts for: its name, its fields and 32 more.
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

  /// Digits in groups of three, as production writes sizes: 1,048,576.
  private static func grouped(_ number: Int) -> String {
    number < 1_000
      ? String(number)
      : grouped(number / 1_000) + "," + String(String(number % 1_000 + 1_000).dropFirst())
  }
}

extension DatabaseName {
  /// Enterprise databases have more types. Editions can't be told from requests, so here it is
  /// the id that says so.
  fileprivate var isEnterprise: Bool { database.hasPrefix("enterprise") }
}

extension Value {
  fileprivate var isDouble: Bool {
    if case .double = self { true } else { false }
  }
}
