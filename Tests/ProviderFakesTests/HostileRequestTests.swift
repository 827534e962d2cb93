import Core
import Testing

@testable import ProviderFakes

/// Texts of 100,000 characters, as an attacker would send them.
struct HostileRequestTests {
  private let engine = RuleEngine()

  @Test(.timeLimit(.minutes(10)), arguments: HostileText.allCases)
  func `hostile text gets a quick answer`(hostile: HostileText) throws {
    try answer(hostile.text)
  }

  @Test(.timeLimit(.minutes(10)), arguments: HostilePhrases.allCases)
  func `text that resembles idioms or questions gets a quick answer`(
    hostile: HostilePhrases
  ) throws {
    try answer(hostile.text)
  }

  /// Answers all kinds of prompts, with the text in every field that another user can set.
  private func answer(_ text: String) throws {
    let message = ModelRequests.message("m1", "P2", text, language: "en")
    let reply = ModelRequests.message("m2", "P3", "ok, dinner", language: "en")
    for (input, schema) in [
      (ModelRequests.analysis(text), ModelRequests.analysisSchema),
      (ModelRequests.analysis(text, language: nil), ModelRequests.analysisSchema),
      (ModelRequests.replies(to: [message]), ModelRequests.repliesSchema),
      (ModelRequests.question("What about dinner?", [message, reply]), ModelRequests.answerSchema),
      (ModelRequests.question(text, [message, reply]), ModelRequests.answerSchema),
    ] {
      guard case .output(let answer) = engine.answer(to: input, schema: schema) else {
        Issue.record("no output")
        return
      }
      let size = try JSONEncoder().encode(answer).count
      #expect(size < 5_000)
    }
  }
}

/// Repetitions of phrases that the rules search for.
///
/// The tests' output has the names of the cases, not the texts.
enum HostilePhrases: CaseIterable {
  case beginnings, manyBeginnings, paddedIdiom, json, questions, turned

  var text: String {
    switch self {
    case .beginnings: String(repeating: "break a ", count: 12_500)
    case .manyBeginnings:
      String(repeating: "pull my pull your ", count: 5_555) + "pull my leg"
    case .paddedIdiom: "break" + String(repeating: "\u{301}", count: 100_000) + " a leg"
    case .json: String(repeating: #"{"text":"["#, count: 10_000)
    case .questions: String(repeating: "[P2] dinner decide ok? ", count: 4_500)
    case .turned: String(repeating: "\u{2066}\u{1D165}\u{94D}a\u{327} ", count: 20_000)
    }
  }
}
