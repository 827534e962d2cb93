import Testing

@testable import ProviderFakes

/// The rules that all phrases of the standard phrasebook must follow.
struct PhrasebookContentTests {
  private let book = Phrasebook.standard

  @Test func `every line of the book has six columns with text`() {
    #expect(book.malformedLines.isEmpty)
    #expect(book.languages == ["en", "es", "it", "fr", "pt", "de"])
    #expect(book.phrases.allSatisfy { $0.count == 6 && !$0.contains("") })
    let phrases = Set(book.phrases.map { Sentence($0[0]).core }).filter {
      PhraseMask.masks(in: $0).isEmpty
    }
    #expect(phrases.count >= 300)
  }

  @Test func `a phrase has the same placeholders in every language, each once`() {
    for phrase in book.phrases {
      let masks = phrase.map(PhraseMask.masks)
      #expect(Set(masks).count == 1, "\(phrase)")
      #expect(masks.allSatisfy { $0.values.allSatisfy { $0 == 1 } }, "\(phrase)")
    }
    let all = book.phrases.flatMap { PhraseMask.masks(in: $0[0]).keys }
    for mask in PhraseMask.allCases {
      #expect(all.count { $0 == mask } >= (mask == .percentage ? 3 : 10), "\(mask)")
    }
  }

  @Test func `no English phrase occurs twice`() {
    let english = book.phrases.map { $0[0] }
    let twice = Dictionary(grouping: english, by: \.self).filter { $0.value.count > 1 }.keys
    #expect(twice.isEmpty)
  }

  @Test func `a phrase has the same emoji and the same kind of sentence in every language`() {
    for phrase in book.phrases {
      let sentences = phrase.map { Sentence($0) }
      #expect(Set(sentences.map(\.after)).count == 1, "\(phrase)")
      #expect(Set(sentences.map { $0.core.hasSuffix("?") }).count == 1, "\(phrase)")
      #expect(Set(sentences.map { $0.core.hasSuffix(".") }).count == 1, "\(phrase)")
      #expect(Set(sentences.map { $0.core.hasSuffix("!") }).count == 1, "\(phrase)")
    }
  }

  @Test func `phrases follow the typography of their language`() {
    let spacing = CharacterSpacing()
    for phrase in book.phrases {
      #expect(phrase.allSatisfy { !$0.contains("’") && !$0.contains("  ") }, "\(phrase)")
      #expect(phrase.allSatisfy { $0 == $0.trimmed && $0.isComposed }, "\(phrase)")
      #expect(spacing.isSpanish(phrase[1]), "\(phrase[1])")
      #expect(spacing.isFrench(phrase[3]), "\(phrase[3])")
    }
  }

  @Test func `every phrase is translated from each language to every other`() throws {
    for phrase in book.phrases {
      for (from, source) in book.languages.enumerated() {
        let first = try #require(book.phrases.first { $0[from] == phrase[from] })
        for (to, target) in book.languages.enumerated() {
          #expect(book.translate(phrase[from], from: source, to: target) == first[to])
        }
      }
    }
  }

  @Test(arguments: Phrasebook.standard.languages)
  func `a translation back and forth is stable`(language: String) throws {
    for phrase in book.phrases {
      let there = try #require(book.translate(phrase[0], from: "en", to: language))
      let back = try #require(book.translate(there, from: language, to: "en"))
      #expect(book.translate(back, from: "en", to: language) == there)
    }
  }

  @Test func `every phrase is detected as a language that has it`() throws {
    for phrase in book.phrases {
      for text in phrase {
        let detected = try #require(book.detect(text))
        let column = try #require(book.languages.firstIndex(of: detected))
        #expect(book.phrases.contains { $0[column] == text }, "\(text) as \(detected)")
      }
    }
  }

  @Test(arguments: [
    "Hello | Hola", "Hello | Hola | Ciao", "Hello |  ", "Hello | 😊", "Hello|Hola", "|", "   ",
  ])
  func `a malformed line is skipped and reported`(line: String) {
    let book = Phrasebook(languages: ["en", "it"], tables: ["Yes | Sì\n\(line)\nNo | No"])
    let isGood = line == "Hello | Hola"
    #expect(book.malformedLines == (isGood ? [] : [line]))
    #expect(book.count == (isGood ? 3 : 2))
    #expect(book.translate("Yes", from: "en", to: "it") == "Sì")
  }
}

/// Rules of punctuation, which find typing errors.
private struct CharacterSpacing {
  /// Returns a Boolean value that indicates whether a sentence that ends in ? or ! also has ¿ or ¡.
  func isSpanish(_ text: String) -> Bool {
    let core = Sentence(text).core
    return core.hasSuffix("?") == core.contains("¿") && core.hasSuffix("!") == core.contains("¡")
  }

  /// Returns a Boolean value that indicates whether every ? and ! follows a space.
  func isFrench(_ text: String) -> Bool {
    let characters = Array(text)
    return zip(characters, characters.dropFirst()).allSatisfy { before, mark in
      !"?!".contains(mark) || before == " "
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// A Boolean value that indicates whether the text has no combining marks.
  ///
  /// A search in the source would miss a text with such marks.
  fileprivate var isComposed: Bool {
    unicodeScalars.allSatisfy { !(0x300...0x36F).contains($0.value) }
  }
}
