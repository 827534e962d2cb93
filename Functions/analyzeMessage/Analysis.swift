import Chat
import Providers

/// What there is to explain about a message.
struct Analysis: Codable, Sendable, Hashable {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case idiom, culturalReference, formality, slang, none
  }

  enum Relevance: String, Codable, CaseIterable, Sendable {
    case high, medium, low
  }

  var hasCulturalContext: Bool
  var type: Kind
  /// The very words of the message.
  var idiomDetected: String?
  /// In the reader's language; empty if there is nothing to explain.
  var explanation: String
  var relevance: Relevance
  /// What the reader's language says instead.
  var suggestedEquivalent: String?

  /// There is nothing to explain.
  static let nothing = Analysis(
    hasCulturalContext: false,
    type: .none,
    explanation: "",
    relevance: .low
  )

  /// What a model's answer comes to: where it says there is nothing, whatever else it says is
  /// left out.
  var settled: Analysis { hasCulturalContext ? self : .nothing }

  /// What is wrong with a model's answer, nil if nothing is.
  func problem(text: String, reader: Language, checks: ModelText) -> String? {
    guard hasCulturalContext else { return nil }
    guard type != .none else { return "type is none although hasCulturalContext is true" }
    if let idiomDetected {
      guard Self.folded(text).contains(Self.folded(idiomDetected)), Message.hasText(idiomDetected)
      else { return "idiomDetected is not in the message" }
    } else if type == .idiom {
      return "type is idiom and idiomDetected is null"
    }
    if let problem = checks.problem(
      with: explanation,
      name: "explanation",
      in: reader,
      maximum: 600,
      allowsLines: true
    ) {
      return problem
    }
    return suggestedEquivalent.flatMap {
      checks.problem(with: $0, name: "suggestedEquivalent", in: reader, maximum: 120)
    }
  }

  /// Lower case, straight apostrophes, and one space where there are more.
  private static func folded(_ text: String) -> String {
    PromptText.visible(text, maximum: .max).lowercased().replacing("’", with: "'")
      .split(separator: " ").joined(separator: " ")
  }
}
