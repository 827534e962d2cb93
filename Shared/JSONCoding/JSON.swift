package import Platform
package import RPCStatus

extension CodingUserInfoKey {
  /// Set to true, decoding refuses members a message doesn't have, as Firestore's server does.
  ///
  /// A client leaves it unset: what a newer server adds is ignored.
  package static let refusesUnknownMembers = CodingUserInfoKey(
    rawValue: "worldchat.refusesUnknownMembers"
  )
}

/// A member name that isn't known at compile time.
package struct MemberName: CodingKey, Hashable {
  private let name: ByteKey
  package var stringValue: String { name.string }
  package var intValue: Int? { nil }
  package init(stringValue: String) { name = ByteKey(stringValue) }
  package init?(intValue: Int) { nil }
}

extension Decoder {
  /// Throws, naming them, if this object has members besides the given ones and the decoder was
  /// told to refuse them.
  package func refuseUnknownMembers<Key: CodingKey & CaseIterable>(besides known: Key.Type) throws {
    guard refusesUnknownMembers else { return }
    try refuseMembers(besides: known.allCases.map(\.stringValue))
  }

  /// The same for the object that is a member of this one.
  package func refuseUnknownMembers<Key: CodingKey>(
    of member: Key,
    in container: KeyedDecodingContainer<Key>,
    besides known: String...
  ) throws {
    guard refusesUnknownMembers else { return }
    try container.superDecoder(forKey: member).refuseMembers(besides: known)
  }

  /// Whether it was told to.
  package var refusesUnknownMembers: Bool {
    CodingUserInfoKey.refusesUnknownMembers.map { userInfo[$0] as? Bool == true } ?? false
  }

  private func refuseMembers(besides known: [String]) throws {
    let known = Set(known.map { ByteKey($0) })
    let names = try container(keyedBy: MemberName.self).allKeys.map { ByteKey($0.stringValue) }
    if let unknown = names.filter({ !known.contains($0) }).min() {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "unknown name \(quoted(unknown.string))")
      )
    }
  }
}

/// JSON as this package writes and reads it, on every wire.
package enum JSON {
  /// One line, members sorted, slashes bare: the same value always gives the same bytes.
  package static func encode(_ value: some Encodable) throws -> Data {
    try encode(JSONTreeEncoder.encode(value))
  }

  /// The same for a type that needs no encoder.
  package static func encode(_ value: some JSONEncodable) throws -> Data {
    try encode(value.json)
  }

  /// The same for JSON itself.
  package static func encode(_ json: JSONValue) throws -> Data {
    var writer = JSONWriter()
    try writer.write(json)
    return Data(writer.bytes)
  }

  /// Decodes, and says what is wrong and where without repeating the input.
  ///
  /// - Parameter what: the input's name in the message, such as `the event`.
  /// - Throws: `INVALID_ARGUMENT` for empty input, invalid UTF-8, malformed JSON or a member of
  ///   the wrong type.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from data: Data,
    what: String,
    refusingUnknownMembers: Bool = false
  ) throws(StatusError) -> Value {
    try decode(
      type,
      from: try parse(data, what: what),
      what: what,
      refusingUnknownMembers: refusingUnknownMembers
    )
  }

  /// The same of JSON that has been parsed.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from json: JSONValue,
    what: String,
    refusingUnknownMembers: Bool = false
  ) throws(StatusError) -> Value {
    var userInfo: [CodingUserInfoKey: Any] = [:]
    if refusingUnknownMembers, let key = CodingUserInfoKey.refusesUnknownMembers {
      userInfo[key] = true
    }
    return try explaining(what) { try type.init(from: JSONTreeDecoder(json, userInfo: userInfo)) }
  }

  /// The same for a type that needs no decoder.
  package static func decode<Value: JSONDecodable>(
    _ type: Value.Type,
    from data: Data,
    what: String,
    refusingUnknownMembers: Bool = false
  ) throws(StatusError) -> Value {
    try decode(
      type,
      from: try parse(data, what: what),
      what: what,
      refusingUnknownMembers: refusingUnknownMembers
    )
  }

  /// The same of JSON that has been parsed.
  package static func decode<Value: JSONDecodable>(
    _ type: Value.Type,
    from json: JSONValue,
    what: String,
    refusingUnknownMembers: Bool = false
  ) throws(StatusError) -> Value {
    do throws(JSONFault) {
      return try Value(json: json, isStrict: refusingUnknownMembers)
    } catch {
      throw StatusError(.invalidArgument, "\(what) \(error.decodingError(at: []).explanation)")
    }
  }

  /// The same for a type that needs to be told what to expect.
  package static func decode<Value: DecodableWithConfiguration>(
    _ type: Value.Type,
    from data: Data,
    configuration: Value.DecodingConfiguration,
    what: String
  ) throws(StatusError) -> Value {
    let decoder = JSONTreeDecoder(try parse(data, what: what))
    return try explaining(what) { try type.init(from: decoder, configuration: configuration) }
  }

  /// Says what is wrong with JSON that can't be parsed, without repeating it.
  package static func parse(_ data: Data, what: String) throws(StatusError) -> JSONValue {
    do throws(JSONParser.Malformed) {
      return try JSONParser.parse(data)
    } catch {
      guard data.contains(where: { !$0.isJSONWhiteSpace }) else {
        throw StatusError(.invalidArgument, "\(what) is empty")
      }
      // UTF-16 and UTF-32 have NUL bytes, which JSON in UTF-8 has none of.
      guard data.isValidUTF8, data.count < 2 || !data.prefix(4).contains(0) else {
        throw StatusError(.invalidArgument, "\(what) is not valid UTF-8")
      }
      throw StatusError(
        .invalidArgument,
        "\(what) is not valid JSON, or has a number out of range"
      )
    }
  }

  private static func explaining<Value>(
    _ what: String,
    _ decode: () throws -> Value
  ) throws(StatusError) -> Value {
    do {
      return try decode()
    } catch let error as DecodingError {
      throw StatusError(.invalidArgument, "\(what) \(error.explanation)")
    } catch {
      throw StatusError(.invalidArgument, "\(what) can't be read: \(error)")
    }
  }
}

/// A name from outside, made safe to print in a message: quoted, cut and without controls.
package func quoted(_ text: some StringProtocol) -> String {
  let visible = text.unicodeScalars.prefix(80).filter {
    switch $0.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
  return "\"\(String(String.UnicodeScalarView(visible)))\""
}

extension UInt8 {
  fileprivate var isJSONWhiteSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
  }
}

extension Data {
  /// JSON may begin with a byte order mark; where it becomes part of other JSON none may stand.
  package var withoutByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }

  /// Whether these bytes are well-formed UTF-8.
  package var isValidUTF8: Bool {
    withUnsafeBytes { String(validating: $0, as: UTF8.self) != nil }
  }
}

extension DecodingError {
  /// What is wrong and where, as the end of a sentence. It repeats nothing of the input but names.
  package var explanation: String {
    switch self {
    case .keyNotFound(let key, let context):
      "has no \(quoted(key.stringValue))\(Self.place(context.codingPath))"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(Self.place(context.codingPath, "has the wrong type at")) (expected \(Self.name(type)))"
    case .dataCorrupted(let context):
      "is refused\(Self.place(context.codingPath)): \(Self.reason(context))"
    @unknown default: "can't be read"
    }
  }

  /// Why data is refused. The standard library's own sentence for a bad name repeats it.
  private static func reason(_ context: Context) -> String {
    let words = context.debugDescription
    return words.hasPrefix("Cannot initialize ") ? "not one of the known names" : words
  }

  private static func place(_ path: [any CodingKey], _ word: String = " at") -> String {
    guard !path.isEmpty else { return word == " at" ? "" : "has the wrong type" }
    return word + " "
      + quoted(
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
      )
  }

  private static func name(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Int.Type, is Int64.Type, is Int32.Type, is Double.Type: "a number"
    case is [String: Any].Type: "an object"
    case is [Any].Type: "an array"
    default: String(describing: type).contains("Array") ? "an array" : "an object"
    }
  }
}
