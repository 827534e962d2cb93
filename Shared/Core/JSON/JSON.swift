/// The coding key of a JSON field whose name isn't known at compile time.
package struct MemberName: CodingKey, Hashable {
  private let name: ByteKey
  package var stringValue: String { name.string }
  package var intValue: Int? { nil }
  package init(stringValue: String) { name = ByteKey(stringValue) }
  package init?(intValue: Int) { nil }
}

extension Decoder {
  /// Throws an error if the object has a field that isn't among the known keys. The error names the
  /// first such field.
  package func refuseUnknownMembers<Key: CodingKey & CaseIterable>(besides known: Key.Type) throws {
    let known = known.allCases.map(\.stringValue)
    guard let unknown = try JSONValue(from: self).object?.unknownName(besides: known) else {
      return
    }
    throw refusal("unknown name \(quoted(unknown))")
  }

  /// Decodes a string and converts it.
  ///
  /// - Throws: `DecodingError` if the value isn't a string, or if `parse` rejects it.
  package func decodeText<Value>(_ parse: (String) throws -> Value) throws -> Value {
    let json = try JSONValue(from: self)
    do {
      return try json.parsed(parse)
    } catch let error as DecodingError {
      throw error.at(codingPath)
    }
  }

  /// Returns the error of a value that has the right type but is invalid.
  package func refusal(_ reason: String) -> DecodingError { .refusal(reason).at(codingPath) }
}

/// Encoding and decoding of JSON, used by all protocols of this package.
package enum JSON {
  /// Encodes a value on one line. The fields of objects are sorted, so that equal values have equal
  /// bytes. Slashes aren't escaped.
  package static func encode(_ value: some Encodable) throws -> Data {
    var writer = JSONWriter()
    try writer.write(JSONTreeEncoder.encode(value))
    return Data(writer.bytes)
  }

  /// Encodes a value for people: indented, with a line and the name's order for each field.
  package static func encodeIndented(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Decodes a value. An error message names the problem and the path of the field, but doesn't
  /// repeat the input.
  ///
  /// - Parameter what: The input's name in messages, such as `the event`.
  /// - Throws: `INVALID_ARGUMENT` for empty input, invalid UTF-8, malformed JSON or a field of the
  ///   wrong type.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from data: Data,
    what: String
  ) throws(StatusError) -> Value {
    try decode(type, from: try parse(data, what: what), what: what)
  }

  /// Decodes a value from parsed JSON.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from json: JSONValue,
    what: String
  ) throws(StatusError) -> Value {
    try read(json, what: what) { try type.init(from: $0) }
  }

  /// Reads parsed JSON with a closure, for callers that have no `Decodable` type.
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

  /// Parses JSON. An error message names the problem, but doesn't repeat the input.
  package static func parse(_ data: Data, what: String) throws(StatusError) -> JSONValue {
    do throws(JSONParser.Malformed) {
      return try JSONParser.parse(data)
    } catch {
      guard data.contains(where: { !$0.isJSONWhiteSpace }) else {
        throw StatusError(.invalidArgument, "\(what) is empty")
      }
      // UTF-16 and UTF-32 contain NUL bytes, which JSON in UTF-8 doesn't.
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

/// Returns external text in a form that is safe in a message: in quotes, without control
/// characters, at most 80 Unicode scalars.
package func quoted(_ text: some StringProtocol) -> String { quoted(text, atMost: 80) }

/// Returns external text in a form that is safe in a message, like `quoted(_:)`.
///
/// - Parameter length: the maximum length in Unicode scalars.
package func quoted(_ text: some StringProtocol, atMost length: Int) -> String {
  let visible = text.unicodeScalars.prefix(length).filter {
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
  /// The data without the byte order mark that it may begin with.
  package var withoutByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }

  /// A Boolean value that indicates whether the data is well-formed UTF-8.
  package var isValidUTF8: Bool {
    withUnsafeBytes { String(validating: $0, as: UTF8.self) != nil }
  }
}

extension DecodingError {
  /// Returns the error of a value that has the right type but is invalid.
  package static func refusal(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: reason))
  }

  /// Returns the error with `path` in front of its own path.
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

  /// The problem and the path of the value, as the end of a sentence that begins with the input's
  /// name. The text repeats field names from the input, but no values.
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

  /// Returns the reason why data is invalid. Replaces the standard library's message for an unknown
  /// enum case, because that message repeats the input.
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
