import Core

@testable import ProviderFakes

/// Prompts and schemas in the form in which functions send them.
enum ModelRequests {
  static func analysis(
    _ text: String,
    language: String? = "en",
    reader: String = "it"
  ) -> JSONValue {
    var message: JSONObject = ["from": "P1", "text": .string(text)]
    if let language { message["language"] = .string(language) }
    return .object([
      "message": .object(message), "messages": .array([]), "readerLanguage": .string(reader),
    ])
  }

  static func replies(
    to messages: [JSONValue],
    in language: String = "en",
    translation: String = "it",
    usesEmoji: Bool = false
  ) -> JSONValue {
    .object([
      "messages": .array(messages), "replier": "P1", "replyLanguage": .string(language),
      "style": .object(["averageCharacters": .integer(24), "usesEmoji": .boolean(usesEmoji)]),
      "translationLanguage": .string(translation),
    ])
  }

  static func question(
    _ question: String,
    _ messages: [JSONValue],
    in language: String = "en"
  ) -> JSONValue {
    .object([
      "answerLanguage": .string(language), "asker": "P1", "messages": .array(messages),
      "question": .string(question),
    ])
  }

  static func message(
    _ id: String,
    _ sender: String,
    _ text: String,
    language: String? = nil
  ) -> JSONValue {
    var message: JSONObject = [
      "id": .string(id), "from": .string(sender), "text": .string(text),
    ]
    if let language { message["language"] = .string(language) }
    return .object(message)
  }

  /// Returns a schema of an object that requires all properties and allows no others.
  static func schema(_ properties: JSONObject) -> JSONValue {
    .object([
      "type": "object", "properties": .object(properties), "additionalProperties": .boolean(false),
      "required": .array(properties.keys.sorted().map { .string($0.string) }),
    ])
  }

  static func type(_ names: String...) -> JSONValue {
    .object(["type": names.count == 1 ? .string(names[0]) : .array(names.map(JSONValue.string))])
  }

  static func choice(_ names: String...) -> JSONValue {
    .object(["type": "string", "enum": .array(names.map(JSONValue.string))])
  }

  static let analysisSchema = schema([
    "hasCulturalContext": type("boolean"),
    "type": choice("idiom", "culturalReference", "formality", "slang", "none"),
    "idiomDetected": type("string", "null"), "explanation": type("string"),
    "relevance": choice("high", "medium", "low"), "suggestedEquivalent": type("string", "null"),
  ])

  static let repliesSchema = schema([
    "suggestions": .object([
      "type": "array", "minItems": .integer(3), "maxItems": .integer(3),
      "items": schema(["text": type("string"), "translation": type("string")]),
    ])
  ])

  static let answerSchema = schema([
    "answer": type("string"), "found": type("boolean"),
    "sources": .object(["type": "array", "items": type("string")]),
  ])
}

extension RuleEngine {
  /// Returns the value in the rules' answer, or `null` if the answer is a refusal or a text.
  func output(_ input: JSONValue, _ schema: JSONValue) -> JSONValue {
    if case .output(let value) = answer(to: input, schema: schema) { value } else { .null }
  }
}
