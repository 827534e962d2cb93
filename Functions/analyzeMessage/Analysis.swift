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
  /// The very words of the message; nil if it is about the message as a whole.
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
}

/// What a model says about a message, and what of it can be shown.
struct AnalysisCheck: Sendable {
  /// Folded.
  private let text: [Unicode.Scalar]
  private let reader: Language
  private let checks: ModelText

  /// - Parameters:
  ///   - text: the message's.
  ///   - window: the messages before it.
  init(_ prompt: Prompt, text: String, after window: ConversationWindow, reader: Language) {
    self.text = Self.folded(text)
    self.reader = reader
    checks = ModelText(prompt, said: window.entries.map(\.text) + [text])
  }

  /// Why an answer is of no use, nil if it can be used.
  func problem(with analysis: Analysis) -> String? {
    guard analysis.hasCulturalContext else { return nil }
    guard analysis.type != .none else { return "type is none although hasCulturalContext is true" }
    return checks.problem(
      with: ModelText.settled(analysis.explanation),
      name: "explanation",
      in: reader,
      maximum: 600,
      allowsLines: true
    )
  }

  /// A useful answer without what can't be shown of it. Where it says that there is nothing, nothing
  /// else of it counts.
  func settled(_ analysis: Analysis) -> Analysis {
    guard analysis.hasCulturalContext else { return .nothing }
    var analysis = analysis
    analysis.explanation = ModelText.settled(analysis.explanation)
    analysis.idiomDetected = analysis.idiomDetected.flatMap(quotation)
    analysis.suggestedEquivalent = analysis.suggestedEquivalent.map(ModelText.settled).flatMap {
      checks.problem(with: $0, name: "", in: reader, maximum: 120) == nil ? $0 : nil
    }
    return analysis
  }

  /// Words that are the message's, without the marks that models put around them. A form of them that
  /// the message doesn't have, such as the infinitive, is none.
  private func quotation(_ words: String) -> String? {
    var scalars = PromptText.visible(words, maximum: 200).unicodeScalars[...]
    let marks = "\"'“”„‘’«».…!?, ".unicodeScalars
    while let first = scalars.first, marks.contains(first) { scalars.removeFirst() }
    while let last = scalars.last, marks.contains(last) { scalars.removeLast() }
    let quotation = String(scalars)
    return Message.hasText(quotation) && text.contains(Self.folded(quotation)) ? quotation : nil
  }

  /// Lower case, straight apostrophes, and one space where there are more.
  private static func folded(_ text: String) -> [Unicode.Scalar] {
    let lowered = PromptText.visible(text, maximum: .max).lowercased().unicodeScalars
    let words = lowered.map { $0 == "’" ? "'" : $0 }.split(separator: " ")
    return Array(words.joined(separator: [" "]))
  }
}
