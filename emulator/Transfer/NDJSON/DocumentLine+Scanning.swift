import FirestoreModel
import JSONCoding
import Platform
import RPCStatus

extension DocumentLine {
  /// Deeper than Firestore allows, and not so deep that reading it overflows the stack.
  private static let maximumDepth = 64

  /// Reads what encoding has written.
  ///
  /// - Throws: `INVALID_ARGUMENT`, the end of a sentence that begins with the line's place.
  init(scanning line: ArraySlice<UInt8>) throws(StatusError) {
    var scanner = try JSONScanner(line)
    var name: String?
    var fields: Fields?
    var times: [String: Timestamp] = [:]
    try scanner.object { scanner, member throws(StatusError) in
      switch member {
      case "name": name = try scanner.string()
      case "fields": fields = try Self.fields(&scanner, depth: 0)
      case "createTime", "updateTime": times[member] = try Self.time(&scanner)
      default: throw .scan("has the unknown name \(quoted(member))")
      }
    }
    try scanner.end()
    guard let name else { throw .scan("has no \"name\"") }
    guard let fields else { throw .scan("has no \"fields\"") }
    self.name = name
    self.fields = fields
    createTime = times["createTime"]
    updateTime = times["updateTime"]
  }

  private static func fields(
    _ scanner: inout JSONScanner,
    depth: Int
  ) throws(StatusError) -> Fields {
    guard depth < maximumDepth else { throw .scan("is nested too deeply") }
    var fields: Fields = [:]
    try scanner.object { scanner, name throws(StatusError) in
      guard fields.updateValue(try value(&scanner, depth: depth), forKey: name) == nil else {
        throw .scan("has the field \(quoted(name)) twice")
      }
    }
    return fields
  }

  /// `{"integerValue":"7"}`
  private static func value(
    _ scanner: inout JSONScanner,
    depth: Int
  ) throws(StatusError) -> Value {
    var value: Value?
    try scanner.object { scanner, kind throws(StatusError) in
      guard value == nil else { throw oneMember }
      value = try content(of: kind, &scanner, depth: depth)
    }
    guard let value else { throw oneMember }
    return value
  }

  private static var oneMember: StatusError {
    .scan("has a value without exactly one member, such as stringValue")
  }

  private static func content(
    of kind: String,
    _ scanner: inout JSONScanner,
    depth: Int
  ) throws(StatusError) -> Value {
    switch kind {
    case "nullValue":
      try scanner.null()
      return .null
    case "booleanValue": return .boolean(try scanner.boolean())
    case "integerValue":
      guard let integer = Int64(try scanner.string()) else {
        throw .scan("has an integer that is not one of 64 bits")
      }
      return .integer(integer)
    case "doubleValue": return .double(try double(&scanner))
    case "timestampValue": return .timestamp(try time(&scanner))
    case "stringValue": return .string(try scanner.string())
    case "bytesValue":
      guard let data = Data(base64Encoded: try scanner.string()) else {
        throw .scan("has bytes that are not base64")
      }
      return .bytes(data)
    case "referenceValue": return .reference(try scanner.string())
    case "geoPointValue": return try geoPoint(&scanner)
    case "arrayValue":
      guard depth < maximumDepth else { throw .scan("is nested too deeply") }
      var elements: [Value] = []
      try member("values", of: &scanner) { scanner throws(StatusError) in
        try scanner.array { scanner throws(StatusError) in
          elements.append(try value(&scanner, depth: depth + 1))
        }
      }
      return .array(elements)
    case "mapValue":
      var inner: Fields = [:]
      try member("fields", of: &scanner) { scanner throws(StatusError) in
        inner = try fields(&scanner, depth: depth + 1)
      }
      return .map(inner)
    default: throw .scan("has the unknown type \(quoted(kind))")
    }
  }

  /// An object whose only member may be absent.
  private static func member(
    _ expected: String,
    of scanner: inout JSONScanner,
    _ body: (inout JSONScanner) throws(StatusError) -> Void
  ) throws(StatusError) {
    try scanner.object { scanner, name throws(StatusError) in
      guard name == expected else { throw .scan("has the unknown name \(quoted(name))") }
      try body(&scanner)
    }
  }

  private static func geoPoint(_ scanner: inout JSONScanner) throws(StatusError) -> Value {
    var (latitude, longitude) = (0.0, 0.0)
    try scanner.object { scanner, name throws(StatusError) in
      switch name {
      case "latitude": latitude = try double(&scanner)
      case "longitude": longitude = try double(&scanner)
      default: throw .scan("has the unknown name \(quoted(name))")
      }
    }
    return .geoPoint(latitude: latitude, longitude: longitude)
  }

  /// NaN, the infinities and -0 are strings, since JSON has none of them.
  private static func double(_ scanner: inout JSONScanner) throws(StatusError) -> Double {
    if scanner.isAtString() {
      switch try scanner.string() {
      case "NaN": return .nan
      case "Infinity": return .infinity
      case "-Infinity": return -.infinity
      case "-0": return -0.0
      default: throw .scan("has a double that is none")
      }
    }
    guard let double = Double(try scanner.number()), double.isFinite else {
      throw .scan("has a number that is none or out of range")
    }
    return double
  }

  private static func time(_ scanner: inout JSONScanner) throws(StatusError) -> Timestamp {
    do throws(StatusError) {
      return try Timestamp(try scanner.string())
    } catch {
      throw .scan("has a time that is \(error.message)")
    }
  }

  /// - Throws: `INVALID_ARGUMENT` for a path that isn't a document's.
  func document(in database: DatabaseName) throws(StatusError) -> Document {
    Document(
      name: try DocumentName(database: database, path: ResourcePath(name)),
      fields: fields,
      createTime: createTime,
      updateTime: updateTime
    )
  }
}
