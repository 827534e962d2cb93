import Testing

@testable import ProviderFakes

struct IdiomLexiconTests {
  private let lexicon = IdiomLexicon.standard

  @Test func `every record can be parsed`() {
    #expect(lexicon.malformedRecords.isEmpty)
  }

  @Test func `there are enough entries of each kind`() {
    let count = { (language: SpokenLanguage, kind: IdiomEntry.Kind) in
      lexicon.entries.count { $0.language == language && $0.kind == kind }
    }
    #expect(lexicon.entries.count { $0.kind == .idiom } >= 100)
    #expect(count(.english, .idiom) >= 60)
    for language in SpokenLanguage.allCases where language != .english {
      #expect(count(language, .idiom) >= 5, "\(language)")
      #expect(count(language, .culturalReference) >= 2, "\(language)")
      #expect(count(language, .formality) >= 1, "\(language)")
    }
    #expect(count(.english, .slang) >= 8)
    #expect(count(.english, .culturalReference) >= 6)
    #expect(count(.german, .formality) >= 3)
  }

  @Test func `every form is found in a sentence and returned as written there`() throws {
    for entry in lexicon.entries {
      for form in entry.forms {
        for text in [
          form, "“Xyz: \(form.uppercased())!”", "Xyz. \(form.replacing("'", with: "’"))",
        ] {
          let match = try #require(
            lexicon.firstMatch(in: text, language: entry.language.rawValue),
            "\(text)"
          )
          #expect(match.entry.meaning[.english] == entry.meaning[.english], "\(text)")
          #expect(text.contains(match.piece))
        }
      }
    }
  }

  @Test func `no two entries of a language share a form`() {
    let forms = lexicon.entries.enumerated().flatMap { number, entry in
      Set(entry.forms.map { [entry.language.rawValue] + Words.folded($0) }).map { ($0, number) }
    }
    let shared = Dictionary(grouping: forms, by: \.0).filter { $0.value.count > 1 }.keys
    #expect(shared.isEmpty)
  }

  @Test func `every explanation has at most 600 characters`() {
    for entry in lexicon.entries {
      for reader in SpokenLanguage.allCases {
        for form in entry.forms {
          let text = IdiomExplanation.sentence(about: entry, as: form, for: reader)
          #expect((20...600).contains(text.unicodeScalars.count), "\(text)")
          #expect(!text.contains("{") && !text.contains("..") && !text.contains("  "), "\(text)")
        }
      }
    }
  }

  @Test func `an equivalent is in another language and starts with a capital letter`() {
    for entry in lexicon.entries {
      #expect(entry.equivalent(in: entry.language) == nil)
      for reader in SpokenLanguage.allCases {
        guard let equivalent = entry.equivalent(in: reader), let first = equivalent.first else {
          continue
        }
        #expect(first.isUppercase || !first.isLetter, "\(equivalent)")
        #expect(!equivalent.hasSuffix("."))
      }
    }
  }

  @Test(arguments: [
    ("en idiom high: break a leg\n  means: a | a | a | a | a", 1),
    ("en idiom high: a b\n  means: a | a | a | a | a | a", 1),
    ("xx idiom high: a b\n  means: a | a | a | a | a | a\n  like: - | - | - | - | - | -", 1),
    ("en saying high: a b\n  means: a | a | a | a | a | a\n  like: - | - | - | - | - | -", 1),
    ("en idiom high: {a,b\n  means: a | a | a | a | a | a\n  like: - | - | - | - | - | -", 1),
    (
      "en idiom high: a b\n  means: a | a | a | a | a | a\n  like: - | - | - | - | - | -\n  x: y", 1
    ),
    ("en idiom high: a b\n  means: a | a | a | a | a | a\n  like: - | - | - | - | - | -", 0),
  ])
  func `a malformed record is skipped and reported`(record: String, malformed: Int) {
    let lexicon = IdiomLexicon(tables: [record])
    #expect(lexicon.malformedRecords.count == malformed)
    #expect(lexicon.entries.count == 1 - malformed)
  }
}
