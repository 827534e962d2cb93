package import Core

/// The REST format of a value: an object with one field that names the type, such as
/// `{"integerValue":"7"}`.
///
/// Integers are written as decimal strings, and read from strings and numbers. NaN, the infinities
/// and -0 are strings, because JSON can't represent them as numbers. Bytes are written as base64,
/// and read from base64 or base64url.
///
/// Values are converted from and to `JSONValue` directly, because a coder's containers take six
/// times as long.
extension Value: Codable {
  private enum Kind: String {
    case nullValue, booleanValue, integerValue, doubleValue, timestampValue, stringValue
    case bytesValue, referenceValue, geoPointValue, arrayValue, mapValue
  }

  // MARK: Reading

  package init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    do {
      try self.init(json)
    } catch let error as DecodingError {
      throw error.at(decoder.codingPath)
    }
  }

  /// Creates a value by decoding JSON.
  ///
  /// - Throws: `DecodingError` with a path relative to this value.
  private init(_ json: JSONValue) throws {
    var found: (kind: Kind, content: JSONValue)?
    for (name, content) in try json.asObject() {
      guard let kind = Kind(name) else { continue }
      guard found == nil else { throw Self.notOneMember }
      found = (kind, content)
    }
    guard let (kind, content) = found else { throw Self.notOneMember }
    do {
      self = try Self.value(of: kind, content)
    } catch let error as DecodingError {
      throw error.at([MemberName(stringValue: kind.rawValue)])
    }
  }

  private static var notOneMember: DecodingError {
    .refusal("a value must have exactly one field, such as stringValue")
  }

  private static func value(of kind: Kind, _ json: JSONValue) throws -> Value {
    switch kind {
    case .nullValue: return .null
    case .booleanValue: return .boolean(try json.asBool())
    case .integerValue: return .integer(try integer(json))
    case .doubleValue: return .double(try double(json))
    case .timestampValue: return .timestamp(try json.parsed { try Timestamp($0) })
    case .stringValue: return .string(try json.asString())
    case .bytesValue: return .bytes(try bytes(json.asString()))
    case .referenceValue: return .reference(try json.asString())
    case .geoPointValue:
      return .geoPoint(
        latitude: try json.member("latitude") { try $0.asDouble() } ?? 0,
        longitude: try json.member("longitude") { try $0.asDouble() } ?? 0
      )
    case .arrayValue: return .array(try json.member("values", elements) ?? [])
    case .mapValue: return .map(try json.member("fields", fields) ?? [:])
    }
  }

  private static func integer(_ json: JSONValue) throws -> Int64 {
    guard case .string(let text) = json else { return try json.asInteger(Int64.self) }
    guard let integer = Int64(text) else { throw DecodingError.refusal("not a 64-bit integer") }
    return integer
  }

  private static func double(_ json: JSONValue) throws -> Double {
    guard case .string(let text) = json else { return try json.asDouble() }
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard let number = Double(text) else { throw DecodingError.refusal("not a number") }
      return number
    }
  }

  private static func bytes(_ text: String) throws -> Data {
    var base64 = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    while !base64.count.isMultiple(of: 4) { base64.append(UInt8(ascii: "=")) }
    guard let data = Data(base64Encoded: Data(base64)) else {
      throw DecodingError.refusal("not base64")
    }
    return data
  }

  private static func elements(_ json: JSONValue) throws -> [Value] {
    try json.asArray().enumerated().map { index, element in
      try nested(element, at: String(index))
    }
  }

  fileprivate static func fields(_ json: JSONValue) throws -> Fields {
    let members = try json.asObject()
    var fields = Fields(minimumCapacity: members.count)
    for (name, member) in members { fields[name] = try nested(member, at: name.string) }
    return fields
  }

  private static func nested(_ json: JSONValue, at name: @autoclosure () -> String) throws -> Value
  {
    do {
      return try Value(json)
    } catch let error as DecodingError {
      throw error.at([MemberName(stringValue: name())])
    }
  }

  // MARK: Writing

  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  fileprivate var json: JSONValue {
    switch self {
    case .null: Self.json(.nullValue, .null)
    case .boolean(let boolean): Self.json(.booleanValue, .boolean(boolean))
    case .integer(let integer): Self.json(.integerValue, .string(String(integer)))
    case .double(let double):
      Self.json(.doubleValue, double.nameInJSON.map(JSONValue.string) ?? .number(double))
    case .timestamp(let timestamp):
      Self.json(.timestampValue, .string(timestamp.description))
    case .string(let string): Self.json(.stringValue, .string(string))
    case .bytes(let data): Self.json(.bytesValue, .string(data.base64EncodedString()))
    case .reference(let name): Self.json(.referenceValue, .string(name))
    case .geoPoint(let latitude, let longitude):
      Self.json(
        .geoPointValue,
        .object(["latitude": .number(latitude), "longitude": .number(longitude)])
      )
    case .array(let values):
      Self.json(
        .arrayValue,
        .object(values.isEmpty ? [:] : ["values": .array(values.map(\.json))])
      )
    case .map(let fields):
      Self.json(
        .mapValue,
        .object(fields.isEmpty ? [:] : ["fields": .object(fields.mapValues(\.json))])
      )
    }
  }

  private static func json(_ kind: Kind, _ content: JSONValue) -> JSONValue {
    .object([ByteKey(kind.rawValue): content])
  }
}

/// The field `fields` of a document's JSON.
struct DocumentFields: Codable {
  let fields: Fields

  init(_ fields: Fields) { self.fields = fields }

  init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    do {
      fields = try Value.fields(json)
    } catch let error as DecodingError {
      throw error.at(decoder.codingPath)
    }
  }

  func encode(to encoder: any Encoder) throws {
    try JSONValue.object(fields.mapValues(\.json)).encode(to: encoder)
  }
}

extension Double {
  /// The string that stands for a number in JSON, or `nil` if JSON can represent the number.
  fileprivate var nameInJSON: String? {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    return self == 0 && sign == .minus ? "-0" : nil
  }
}

// MARK: Plain JSON

extension Value {
  /// Creates a value from plain JSON, as people write it: `{"text":"Hello","likes":3}`. Objects become
  /// maps.
  ///
  /// An object with one member whose name is a type of the REST format is a value in that format, such
  /// as `{"timestampValue":"2026-01-01T20:00:00Z"}`, for the types that plain JSON lacks.
  ///
  /// - Throws: `DecodingError` with a path relative to this value.
  package init(plain json: JSONValue) throws {
    switch json {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .double(number)
    case .string(let string): self = .string(string)
    case .array(let values):
      self = .array(
        try values.enumerated().map { index, value in
          try Self.plain(value, at: String(index))
        }
      )
    case .object(let members):
      if members.count == 1, members.contains(where: { Kind($0.key) != nil }) {
        self = try Value(json)
      } else {
        self = .map(try Self.plainFields(json))
      }
    }
  }

  /// Returns the fields of an object in plain JSON.
  ///
  /// - Throws: `DecodingError` with a path relative to the object.
  package static func plainFields(_ json: JSONValue) throws -> Fields {
    let members = try json.asObject()
    var fields = Fields(minimumCapacity: members.count)
    for (name, member) in members { fields[name] = try plain(member, at: name.string) }
    return fields
  }

  private static func plain(_ json: JSONValue, at name: @autoclosure () -> String) throws -> Value {
    do {
      return try Value(plain: json)
    } catch let error as DecodingError {
      throw error.at([MemberName(stringValue: name())])
    }
  }
}
