import LanguageDetection
import Testing

/// The accuracy of the detector, and its lower bounds. `make evaluate-engines` prints the accuracy.
struct LanguageEvaluationTests {
  @Test func `there are enough messages of every language`() throws {
    for half in LanguageMessages.Half.allCases {
      let messages = try LanguageMessages.all(half)
      #expect(messages.count >= 300)
      #expect(Set(messages.map(\.text)).count == messages.count)
      for language in LanguageMessages.languages {
        #expect(messages.count { $0.language == language } >= 25, "\(language)")
      }
    }
  }

  /// The detector knows only the text, and every language is possible. An undecided message counts
  /// as wrong.
  @Test(arguments: LanguageMessages.Half.allCases)
  func `the language of a message is detected in 92 of 100 cases`(
    half: LanguageMessages.Half
  ) throws {
    var table = ConfusionTable()
    for message in try LanguageMessages.all(half) {
      table.add(LanguageDetector.detect(message.text), for: message.language)
    }
    print("\(half.rawValue), by the text alone:\n\(table)")
    #expect(table.accuracy >= 92)
  }

  /// Each message is in a conversation of two languages. In the first measurement, the message is in
  /// its sender's language. In the second, it is in the other member's language.
  @Test(arguments: LanguageMessages.Half.allCases)
  func `in a conversation of two languages 97 of 100 are detected`(
    half: LanguageMessages.Half
  ) throws {
    var own = ConfusionTable()
    var others = ConfusionTable()
    for message in try LanguageMessages.all(half) {
      for other in LanguageMessages.languages where other != message.language {
        let (text, language) = (message.text, message.language)
        own.add(LanguageDetector.detect(text, expected: [language, other]), for: language)
        others.add(LanguageDetector.detect(text, expected: [other, language]), for: language)
      }
    }
    print("\(half.rawValue), in the writer's own language of two:\n\(own)")
    print("\(half.rawValue), in the other side's language of two:\n\(others)")
    #expect(own.accuracy >= 97)
    #expect(others.accuracy >= 95)
  }
}
