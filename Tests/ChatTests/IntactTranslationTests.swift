import Core
import FunctionRuntime
import Providers
import TestKit
import Testing

@testable import Chat

/// Spans, line breaks and white space, which must stay the same whatever the translator does to the
/// words.
@Suite(.timeLimit(.minutes(10)))
struct IntactTranslationTests {
  @Test func `there are two hundred messages in twelve languages, each with a span`() {
    #expect(IntactMessages.all.count >= 200)
    for marked in IntactMessages.all {
      let (_, spans) = IntactMessages.read(marked)
      #expect(!spans.isEmpty && spans.allSatisfy { !$0.isEmpty }, "\(marked)")
    }
  }

  @Test(arguments: Misbehaviour.allCases)
  func `spans, line breaks and outer white space stay as they are`(
    misbehaviour: Misbehaviour
  ) async throws {
    let messages = IntactMessages.all.map(IntactMessages.read)
    let texts = messages.map(\.text)
    let engine = TranslationEngine { misbehaviour($0) }
    let answers = try await TextTranslator(engine).translate(texts)
    for (text, spans) in messages {
      let answer = try #require(try answers[text]?.get().text, "\(text)")
      for span in Set(spans) {
        let times = spans.count { $0 == span }
        #expect(answer.occurrences(of: span) >= times, "\(span) in \(answer), of \(text)")
      }
      #expect(answer.filter(\.isNewline) == text.filter(\.isNewline), "\(answer), of \(text)")
      #expect(
        answer.prefix(while: \.isWhitespace) == text.prefix(while: \.isWhitespace),
        "\(answer), of \(text)"
      )
      if !text.uppercased().contains("[X") {
        #expect(!answer.uppercased().contains("[X"), "\(answer), of \(text)")
      }
    }
  }

  @Test func `a text that an engine leaves unchanged stays equal, scalar by scalar`() async throws {
    let texts = IntactMessages.all.map { IntactMessages.read($0).text }
    let engine = TranslationEngine { $0 }
    let answers = try await TextTranslator(engine).translate(texts)
    for text in texts {
      let answer = try #require(try answers[text]?.get().text)
      #expect(Array(answer.unicodeScalars) == Array(text.unicodeScalars))
    }
    // A request has about five thousand characters, and no text is requested twice.
    #expect(engine.requests.count <= 4)
    for text in engine.requests.joined() {
      #expect(!text.contains("://") && !text.contains(where: \.isNewline), "\(text)")
    }
  }
}

extension String {
  fileprivate func occurrences(of text: String) -> Int {
    let (scalars, wanted) = (Array(unicodeScalars), Array(text.unicodeScalars))
    return scalars.indices.count { scalars[$0...].starts(with: wanted) }
  }
}
