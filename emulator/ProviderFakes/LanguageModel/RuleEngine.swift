import Core

/// The engine that answers a language model's requests by rules, without a model or a network.
///
/// Equal requests have equal answers. The rules explain idioms, suggest everyday replies, and find
/// messages about a question. Any other request is answered with a minimal value that its schema
/// allows.
struct RuleEngine: Sendable {
  /// The model name in every response.
  static let name = "emulator-rules"

  enum Answer: Equatable {
    /// A value that matches the requested schema.
    case output(JSONValue)
    /// A text, if the request has no schema.
    case text(String)
    /// A refusal with its reason.
    case refusal(String)
  }

  /// Returns the answer to a user's content.
  ///
  /// - Parameters:
  ///   - input: the user's content, parsed as JSON if it is a JSON object, or else the text itself.
  ///   - schema: the requested JSON Schema, or `nil` if any text is allowed.
  func answer(to input: JSONValue, schema: JSONValue?) -> Answer {
    let input = ModelInput(input)
    var languages: [ModelInput.LanguageMember: SpokenLanguage] = [:]
    for member in ModelInput.LanguageMember.allCases {
      guard let language = input.language(member) else { return .refusal(Self.refusal) }
      languages[member] = language
    }
    guard let schema else { return .text(Self.introduction) }
    let names = SchemaFilling.names(in: schema)
    var facts: JSONObject = [:]
    for rule in Rule.allCases
    where names.map({ !$0.isDisjoint(with: rule.names.map { ByteKey($0) }) }) ?? true {
      facts.merge(rule.facts(from: input, in: { languages[$0] ?? .english })) { first, _ in first }
    }
    return .output(SchemaFilling.value(for: schema, facts: facts))
  }

  private static let introduction =
    "\(name): these are the emulator's offline rules, not a language model. "
    + "They answer requests that come with a JSON Schema."

  private static let refusal =
    "\(name) speaks English (en), Spanish (es), Italian (it), French (fr), Portuguese (pt) "
    + "and German (de) only."
}
