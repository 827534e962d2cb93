import Core

/// The part of a request that both language-model APIs have in common.
struct ModelPrompt {
  /// The required form of the answer.
  enum Form {
    case text
    /// A JSON object that matches the schema, if there is one.
    case object(schema: JSONValue?)
  }

  /// The text of the last user message.
  var text: String
  var form: Form

  /// The rules' answer in the required form.
  enum Completion {
    case text(String)
    case object(JSONValue)
    case refusal(String)
  }

  func completion(by engine: RuleEngine) -> Completion {
    switch (form, engine.answer(to: input, schema: schema)) {
    case (_, .refusal(let words)): return .refusal(words)
    case (.text, .text(let text)): return .text(text)
    case (.text, .output(let value)): return .text(value.line)
    case (.object, .text(let text)): return .object(.object(["text": .string(text)]))
    case (.object, .output(let value)): return .object(value)
    }
  }

  /// The text, parsed if it is a JSON object.
  private var input: JSONValue {
    guard let value = try? JSONValue(parsing: Data(text.utf8)), value.object != nil else {
      return .string(text)
    }
    return value
  }

  private var schema: JSONValue? {
    if case .object(let schema) = form { schema } else { nil }
  }
}

extension JSONValue {
  /// The value as one line of JSON.
  package var line: String {
    (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The integer, or `nil` if the value isn't one.
  package var wholeNumber: Int? {
    if case .integer(let integer) = self { Int(integer) } else { nil }
  }

  var decimal: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The fields that aren't null, or `nil` if the value isn't an object. Both APIs treat null as
  /// absent.
  var members: JSONObject? { object?.filter { $1 != .null } }

  /// The name of this kind of value in error messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .number: "a decimal"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
