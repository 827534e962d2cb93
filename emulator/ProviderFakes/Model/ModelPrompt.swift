import Core

/// What a request to either language-model API comes down to.
struct ModelPrompt {
  /// The form that the answer must have.
  enum Form {
    case text
    /// A JSON object; of this schema, if there is one.
    case object(schema: JSONValue?)
  }

  /// The last message of the user.
  var text: String
  var form: Form

  /// What the rules say, in the form asked for.
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

  /// The integer of this number, if it is one.
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

  /// The members that are not null: to both APIs, null is as good as left out.
  var members: JSONObject? { object?.filter { $1 != .null } }

  /// What a message calls this kind of value.
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
