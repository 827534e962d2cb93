import Core

/// Answers requests to a language model by rules: no model, no network, the same answer each time.
///
/// It knows idioms, everyday replies and how to find a message. Whatever else it is asked for, it
/// answers with a value that the schema allows and that says as little as possible.
struct RuleEngine: Sendable {
  /// What every answer calls its model.
  static let name = "emulator-rules"

  enum Answer: Equatable {
    /// A value that the schema asked for.
    case output(JSONValue)
    /// Where no schema was given.
    case text(String)
    /// Why the rules can't answer.
    case refusal(String)
  }

  /// - Parameters:
  ///   - input: the user's content, parsed as JSON if it is a JSON object, else the text itself.
  ///   - schema: the JSON Schema asked for, nil if any text will do.
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
