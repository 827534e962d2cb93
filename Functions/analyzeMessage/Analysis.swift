import Chat
import Providers

/// The explanation of a message for readers of another language.
struct Analysis: Codable, Sendable, Hashable {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case idiom, culturalReference, formality, slang, none
  }

  enum Relevance: String, Codable, CaseIterable, Sendable {
    case high, medium, low
  }

  var hasCulturalContext: Bool
  var type: Kind
  /// The explained words, quoted from the message, or `nil` if the explanation is about the whole
  /// message.
  var idiomDetected: String?
  /// The explanation in the reader's language; empty if there is nothing to explain.
  var explanation: String
  var relevance: Relevance
  /// The equivalent expression in the reader's language.
  var suggestedEquivalent: String?

  /// The analysis of a message that needs no explanation.
  static let nothing = Analysis(
    hasCulturalContext: false,
    type: .none,
    explanation: "",
    relevance: .low
  )
}

/// The validation of a model's analysis before it is shown.
struct AnalysisCheck: Sendable {
  /// The message's text as `folded` returns it.
  private let text: [Unicode.Scalar]
  private let reader: Language
  private let checks: ModelText

  /// Creates a check for the answers to a prompt.
  ///
  /// - Parameters:
  ///   - text: the message's text.
  ///   - window: the messages before it.
  init(_ prompt: Prompt, text: String, after window: ConversationWindow, reader: Language) {
    self.text = Self.folded(text)
    self.reader = reader
    checks = ModelText(prompt, said: window.entries.map(\.text) + [text])
  }

  /// Returns the problem that makes an answer unusable, or `nil` if there is none.
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

  /// Returns a usable answer without the parts that can't be shown.
  ///
  /// If the answer says that there is nothing to explain, its other fields are ignored.
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

  /// Returns words quoted from the message, without the punctuation that models put around them.
  ///
  /// If the message doesn't contain the words in this form, for example because the model wrote an
  /// infinitive, the result is `nil`.
  private func quotation(_ words: String) -> String? {
    var scalars = PromptText.visible(words, maximum: 200).unicodeScalars[...]
    let marks = "\"'“”„‘’«».…!?, ".unicodeScalars
    while let first = scalars.first, marks.contains(first) { scalars.removeFirst() }
    while let last = scalars.last, marks.contains(last) { scalars.removeLast() }
    let quotation = String(scalars)
    return Message.hasText(quotation) && text.contains(Self.folded(quotation)) ? quotation : nil
  }

  /// Returns a text in lower case, with straight apostrophes and single spaces.
  private static func folded(_ text: String) -> [Unicode.Scalar] {
    let lowered = PromptText.visible(text, maximum: .max).lowercased().unicodeScalars
    let words = lowered.map { $0 == "’" ? "'" : $0 }.split(separator: " ")
    return Array(words.joined(separator: [" "]))
  }
}
