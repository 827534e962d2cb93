/// A member name that isn't known at compile time.
package struct MemberName: CodingKey, Hashable {
  private let name: ByteKey
  package var stringValue: String { name.string }
  package var intValue: Int? { nil }
  package init(stringValue: String) { name = ByteKey(stringValue) }
  package init?(intValue: Int) { nil }
}

extension Decoder {
  /// Refuses an object with members besides those of a type, and names the first of them.
  package func refuseUnknownMembers<Key: CodingKey & CaseIterable>(besides known: Key.Type) throws {
    let known = known.allCases.map(\.stringValue)
    guard let unknown = try JSONValue(from: self).object?.unknownName(besides: known) else {
      return
    }
    throw refusal("unknown name \(quoted(unknown))")
  }

  /// Decodes a text and makes a value of it.
  ///
  /// - Throws: `DecodingError` for what is no text, and for one that `parse` refuses.
  package func decodeText<Value>(_ parse: (String) throws -> Value) throws -> Value {
    let json = try JSONValue(from: self)
    do {
      return try json.parsed(parse)
    } catch let error as DecodingError {
      throw error.at(codingPath)
    }
  }

  /// The error of a value whose type is right and that is refused all the same.
  package func refusal(_ reason: String) -> DecodingError { .refusal(reason).at(codingPath) }
}

/// JSON as this package writes and reads it, on every wire.
package enum JSON {
  /// Encodes on one line, members sorted, slashes bare: the same value always gives the same bytes.
  package static func encode(_ value: some Encodable) throws -> Data {
    var writer = JSONWriter()
    try writer.write(JSONTreeEncoder.encode(value))
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
    what: String
  ) throws(StatusError) -> Value {
    try decode(type, from: try parse(data, what: what), what: what)
  }

  /// Decodes JSON that has been parsed.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from json: JSONValue,
    what: String
  ) throws(StatusError) -> Value {
    try read(json, what: what) { try type.init(from: $0) }
  }

  /// Reads parsed JSON for what is no type of its own.
  package static func read<Value>(
    _ json: JSONValue,
    what: String,
    _ body: (any Decoder) throws -> Value
  ) throws(StatusError) -> Value {
    do {
      return try body(JSONTreeDecoder(json))
    } catch let error as DecodingError {
      throw StatusError(.invalidArgument, "\(what) \(error.explanation)")
    } catch {
      throw StatusError(.invalidArgument, "\(what) can't be read: \(error)")
    }
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
  /// The error of a value whose type is right and that is refused all the same.
  package static func refusal(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: reason))
  }

  /// The error as it is seen from outside the value.
  ///
  /// - Parameter path: the value's own, before that within it.
  package func at(_ path: [any CodingKey]) -> DecodingError {
    func placed(_ context: Context) -> Context {
      Context(codingPath: path + context.codingPath, debugDescription: context.debugDescription)
    }
    return switch self {
    case .keyNotFound(let key, let context): .keyNotFound(key, placed(context))
    case .typeMismatch(let type, let context): .typeMismatch(type, placed(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, placed(context))
    case .dataCorrupted(let context): .dataCorrupted(placed(context))
    @unknown default: self
    }
  }

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
