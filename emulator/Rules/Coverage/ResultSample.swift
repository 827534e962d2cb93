import Core

/// A result of an expression that coverage keeps.
enum ResultSample: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case float(UInt64)
  case string(ByteKey)
  case error(ByteKey, SourceRange?)
  /// A value of another type, as JSON.
  case other(JSONValue, size: Int)

  /// The most bytes of a sample.
  private static let limit = 1 << 10

  /// Creates a sample, or returns `nil` if the value is too large.
  init?(_ result: EvaluationTrace.Outcome) {
    switch result {
    case .success(.null): self = .null
    case .success(.boolean(let value)): self = .boolean(value)
    case .success(.integer(let value)): self = .integer(value)
    case .success(.float(let value)): self = .float(value.bitPattern)
    case .success(.string(let value)):
      guard value.utf8.count <= Self.limit else { return nil }
      self = .string(ByteKey(value))
    case .success(let value):
      var room = Self.limit
      guard let json = value.coverageJSON(room: &room) else { return nil }
      self = .other(json, size: Self.limit - room)
    case .failure(let error):
      guard error.message.utf8.count <= Self.limit else { return nil }
      self = .error(ByteKey(error.message), error.range)
    }
  }

  /// Returns whether the sample is a result that isn't compound.
  func isEqual(to result: EvaluationTrace.Outcome) -> Bool {
    switch (self, result) {
    case (.null, .success(.null)): true
    case (.boolean(let sample), .success(.boolean(let value))): sample == value
    case (.integer(let sample), .success(.integer(let value))): sample == value
    case (.float(let sample), .success(.float(let value))): sample == value.bitPattern
    case (.string(let sample), .success(.string(let value))): sample.string.hasSameBytes(as: value)
    case (.error(let message, let range), .failure(let error)):
      range == error.range && message.string.hasSameBytes(as: error.message)
    default: false
    }
  }

  /// The number of bytes that the sample counts as.
  var size: Int {
    switch self {
    case .null, .boolean, .integer, .float: 8
    case .string(let text), .error(let text, _): 8 + text.utf8.count
    case .other(_, let size): size
    }
  }

  /// The sample as a text for people.
  var text: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .float(let bits): "\(Double(bitPattern: bits))"
    case .string(let text): "'\(text.string)'"
    case .error(let message, _): "error: \(message.string)"
    case .other(let json, _):
      (try? JSON.encode(json)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  var json: JSONValue {
    switch self {
    case .null: .object(["nullValue": .null])
    case .boolean(let value): .object(["boolValue": .boolean(value)])
    case .integer(let value): .object(["intValue": .string(String(value))])
    case .float(let bits): .object(["floatValue": JSONValue(float: Double(bitPattern: bits))])
    case .string(let text): .object(["stringValue": .string(text.string)])
    case .error(let message, let range):
      .object([
        "undefined": .object(
          JSONObject(
            [("causeMessage", .string(message.string))]
              + (range.map { [("sourcePosition", $0.json)] } ?? [])
          )
        )
      ])
    case .other(let json, _): json
    }
  }
}
