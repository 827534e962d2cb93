import HTTPService

/// Answers requests to a language model by rules: no model, no network, the same answer each time.
struct RuleEngine: Sendable {
  /// What every answer calls its model.
  static let name = "emulator-rules"

  enum Answer: Equatable { case output(JSONValue), text(String), refusal(String) }

  /// - Parameters:
  ///   - input: the user's content, parsed if it is a JSON object, else the text itself.
  ///   - schema: the JSON Schema asked for, nil if any text will do.
  func answer(to input: JSONValue, schema: JSONValue?) -> Answer {
    guard let schema else { return .text("The rules have no answer to this.") }
    return .output(value(of: schema, named: "", index: 0))
  }

  /// The fixed value of a known property, else the plainest one that the schema allows.
  private func value(of schema: JSONValue, named name: String, index: Int) -> JSONValue {
    switch name {
    case "hasCulturalContext", "found": return .boolean(false)
    case "idiomDetected", "suggestedEquivalent": return .null
    case "type": return "none"
    case "relevance": return "low"
    case "text", "translation", "answer": return .string("Answer \(index + 1)")
    default: break
    }
    switch schema["type"]?.string {
    case "object":
      let properties = schema["properties"]?.object ?? [:]
      return .object(
        Dictionary(
          uniqueKeysWithValues: properties.map { ($0, value(of: $1, named: $0, index: index)) }
        )
      )
    case "array":
      guard case .integer(let count) = schema["minItems"], let items = schema["items"] else {
        return .array([])
      }
      return .array(
        (0..<Int(min(max(count, 0), 100))).map { value(of: items, named: "", index: $0) }
      )
    case "boolean": return .boolean(false)
    case "integer", "number": return .integer(0)
    case "string": return schema["enum"]?.array?.first ?? ""
    default: return .null
    }
  }
}
