import LanguageDetection
import Testing

@testable import ProviderFakes

/// The language detector, evaluated with the phrasebook's phrases.
///
/// They weren't written for the detector, but its tables were corrected once because of them.
struct PhrasebookLanguageTests {
  private static let phrases = Phrasebook.standard.phrases.flatMap { phrase in
    zip(Phrasebook.standard.languages, phrase).map { (language: $0, text: $1) }
  }

  @Test func `a phrase doesn't contradict its own language`() {
    for (language, text) in Self.phrases {
      #expect(!LanguageDetector.contradicts(text, language: language), "\(language): \(text)")
    }
  }

  @Test func `at most one percent of the phrases are detected as another language`() {
    let wrong = Self.phrases.filter {
      ![nil, $0.language].contains(LanguageDetector.detect($0.text))
    }
    #expect(wrong.count * 100 <= Self.phrases.count, "\(wrong)")
  }

  @Test func `most phrases of three words contradict every other language of the book`() {
    let long = Self.phrases.filter { phrase in
      phrase.text.split(separator: " ").count { $0.contains(where: \.isLetter) } >= 3
    }
    let pairs = long.flatMap { phrase in
      Phrasebook.standard.languages.filter { $0 != phrase.language }.map { (phrase.text, $0) }
    }
    let caught = pairs.filter { LanguageDetector.contradicts($0, language: $1) }
    #expect(caught.count * 10 >= pairs.count * 9, "\(caught.count) of \(pairs.count)")
  }
}
