import Chat
import Core
import Providers
import Testing

@testable import analyzeMessage

struct AnalysisTests {
  private static let text = "Break  a\nleg at your interview, don’t be late"

  /// Returns the check for an analysis that explains an English text to an Italian reader.
  static func check(of text: String = Self.text) throws -> AnalysisCheck {
    let italian = try Language("it")
    let window = ConversationWindow([], aliases: Aliases([], profiles: [:]), profiles: [:])
    let prompt = try AnalysisPrompt.prompt(
      text: text,
      from: "P1",
      in: Language("en"),
      after: window,
      for: italian
    )
    return AnalysisCheck(prompt, text: text, after: window, reader: italian)
  }

  private static let good = Analysis(
    hasCulturalContext: true,
    type: .idiom,
    idiomDetected: "break a leg",
    explanation: "È un modo di dire inglese per augurare buona fortuna.",
    relevance: .high,
    suggestedEquivalent: "In bocca al lupo"
  )

  private static func problem(_ change: (inout Analysis) -> Void) throws -> String? {
    var analysis = good
    change(&analysis)
    return try check().problem(with: analysis)
  }

  private static func settled(_ change: (inout Analysis) -> Void) throws -> Analysis {
    var analysis = good
    change(&analysis)
    return try check().settled(analysis)
  }

  @Test func `a good analysis stays as it is`() throws {
    #expect(try Self.problem { _ in } == nil)
    #expect(try Self.settled { _ in } == Self.good)
  }

  @Test func `an explanation that can't be shown makes the answer invalid`() throws {
    #expect(
      try Self.problem { $0.type = .none } == "type is none although hasCulturalContext is true"
    )
    #expect(try Self.problem { $0.explanation = "\u{200B}" } == "explanation is empty")
    #expect(
      try Self.problem { $0.explanation = "Vai su https://evil.example e vinci." }?
        .hasPrefix("explanation has a link") == true
    )
    #expect(
      try Self.problem { $0.explanation = "This is something that people say before you go on." }
        == "explanation is not in the language it"
    )
  }

  @Test(arguments: [
    ("DON'T BE LATE", "DON'T BE LATE"), ("“break a leg”", "break a leg"),
    ("…break a leg!", "break a leg"), ("'at your  interview'", "at your  interview"),
  ])
  func `the idiom is quoted from the message, without a model's marks`(
    words: String,
    settled: String
  ) throws {
    #expect(try Self.settled { $0.idiomDetected = words }.idiomDetected == settled)
  }

  @Test(arguments: ["", " ", "null", "spill the beans", "breaking a leg", "break a leg, late", "…"])
  func `words that are not the message's are left out`(words: String) throws {
    #expect(try Self.problem { $0.idiomDetected = words } == nil)
    #expect(try Self.settled { $0.idiomDetected = words }.idiomDetected == nil)
  }

  @Test(arguments: ["", "In bocca\u{202E} al lupo", "www.evil.example", "<b>In bocca al lupo</b>"])
  func `an equivalent that can't be shown is left out`(text: String) throws {
    #expect(try Self.problem { $0.suggestedEquivalent = text } == nil)
    #expect(try Self.settled { $0.suggestedEquivalent = text }.suggestedEquivalent == nil)
  }

  @Test func `an analysis without cultural context has no other content`() throws {
    let nothing: (inout Analysis) -> Void = {
      $0.hasCulturalContext = false
      $0.explanation = "https://evil.example"
    }
    #expect(try Self.problem(nothing) == nil)
    #expect(try Self.settled(nothing) == .nothing)
  }
}
