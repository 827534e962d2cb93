import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import analyzeMessage
@testable import askAI
@testable import sendNotification
@testable import smartReplies

/// Texts with thousands of combining marks that aren't in canonical order, in the functions that
/// read them.
///
/// Comparing such a text as `String` or `Character` takes quadratic time.
@Suite(.timeLimit(.minutes(10)))
struct EndlessMarksInFunctionsTests {
  private let marks = "a" + String(repeating: "\u{301}\u{316}", count: 10_000)

  @Test func `an idiom is found next to many marks`() throws {
    let text = "Break a leg, \(marks)!"
    let check = try AnalysisTests.check(of: text)
    var analysis = Analysis(
      hasCulturalContext: true,
      type: .idiom,
      idiomDetected: "break a leg",
      explanation: "È un modo di dire inglese per augurare buona fortuna.",
      relevance: .high
    )
    #expect(check.problem(with: analysis) == nil)
    #expect(check.settled(analysis).idiomDetected == "break a leg")
    analysis.explanation = marks
    #expect(check.problem(with: analysis) == "explanation is longer than 600 characters")
  }

  @Test func `an answer is shown up to its last whole sentence`() {
    let whole = AnswerPreview.wholeSentences(of: "Alle otto. \(marks)")
    #expect(whole.utf8.elementsEqual("Alle otto.".utf8))
    #expect(AnswerPreview.wholeSentences(of: marks + ". ").utf8.count == marks.utf8.count + 1)
  }

  @Test func `an intent is detected next to many marks`() throws {
    #expect(MessageIntent(of: "\(marks) thank you", in: try Language("en")) == .thanks)
    #expect(MessageIntent(of: "\(marks)?", in: try Language("en")) == .question)
  }

  @Test func `a push shortens many marks, and an unknown media type is a file`() throws {
    let content = NotificationContent(
      text: marks,
      conversation: try Conversation(
        ChatDocuments.conversation(["participants": ["sarah", "marco"]])
      ),
      sender: UserProfile(
        try ChatDocuments.user("sarah", ["displayName": .string("Sarah  \(marks)")])
      )
    )
    #expect(content.title.utf8.starts(with: "Sarah ".utf8))
    #expect(content.title.utf8.count <= NotificationContent.maximumTitleBytes)
    for fields: Fields in [
      ["mediaType": .string("image/" + marks)],
      ["mediaURL": .string("https://x/a.\(marks)/b.JPG?t")],
    ] {
      let message = Message(try ChatDocuments.message(fields))
      #expect(WordedBody.Media(of: message) == .photo)
    }
    let message = Message(try ChatDocuments.message(["mediaType": .string(marks + "/image")]))
    #expect(WordedBody.Media(of: message) == .file)
  }
}
