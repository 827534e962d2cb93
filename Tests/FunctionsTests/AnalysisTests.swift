import Chat
import JSONCoding
import Platform
import Providers
import Testing

@testable import analyzeMessage

struct AnalysisTests {
  private static let text = "Break  a\nleg at your interview, don’t be late"

  private static func problem(_ change: (inout Analysis) -> Void) throws -> String? {
    var analysis = Analysis(
      hasCulturalContext: true,
      type: .idiom,
      idiomDetected: "break a leg",
      explanation: "È un modo di dire inglese per augurare buona fortuna.",
      relevance: .high,
      suggestedEquivalent: "In bocca al lupo"
    )
    change(&analysis)
    let italian = try Language("it")
    let prompt = try AnalysisPrompt.prompt(
      text: text,
      from: "P1",
      in: Language("en"),
      after: ConversationWindow([], aliases: Aliases([], profiles: [:]), profiles: [:]),
      for: italian
    )
    return analysis.problem(text: text, reader: italian, checks: ModelText(prompt))
  }

  @Test func `a good analysis has no problem`() throws {
    #expect(try Self.problem { _ in } == nil)
    #expect(try Self.problem { $0.suggestedEquivalent = nil } == nil)
    #expect(try Self.problem { $0.idiomDetected = "DON'T BE LATE" } == nil)
    #expect(
      try Self.problem {
        $0.type = .formality
        $0.idiomDetected = nil
      } == nil
    )
  }

  @Test func `each way to be wrong is named`() throws {
    #expect(
      try Self.problem { $0.type = .none } == "type is none although hasCulturalContext is true"
    )
    #expect(
      try Self.problem { $0.idiomDetected = "spill the beans" }
        == "idiomDetected is not in the message"
    )
    #expect(try Self.problem { $0.idiomDetected = " " } == "idiomDetected is not in the message")
    #expect(
      try Self.problem { $0.idiomDetected = nil } == "type is idiom and idiomDetected is null"
    )
    #expect(try Self.problem { $0.explanation = "\u{200B}" } == "explanation is empty")
    #expect(
      try Self.problem { $0.explanation = "Vai su https://evil.example e vinci." }
        == "explanation has a link, an address or a number"
    )
    #expect(
      try Self.problem { $0.suggestedEquivalent = "In bocca\u{202E} al lupo" }
        == "suggestedEquivalent has characters that can't be seen"
    )
    #expect(
      try Self.problem { $0.explanation = "This is something that people say before you go on." }
        == "explanation is not in the language it"
    )
  }

  @Test func `where there is nothing, nothing else counts`() throws {
    #expect(
      try Self.problem {
        $0.hasCulturalContext = false
        $0.explanation = "https://evil.example"
      } == nil
    )
    let analysis = Analysis(
      hasCulturalContext: false,
      type: .slang,
      idiomDetected: "leg",
      explanation: "https://evil.example",
      relevance: .high
    )
    #expect(analysis.settled == .nothing)
  }
}
