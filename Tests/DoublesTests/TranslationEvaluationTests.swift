import Foundation
import Testing

@testable import Doubles

/// What `make evaluate-engines` prints of the translator: how near its engines come to a small
/// reference set of our own.
struct TranslationEvaluationTests {
  @Test(arguments: [
    ("abc def", "abc def", 100), ("abcdef", "abc def", 100), ("abc", "xyz", 0), ("", "abc", 0),
    ("abc", "", 0), ("", "", 0), ("a", "a", 100),
    // "ab": precision (1/2 + 0/1) / 2 and recall the same.
    ("ab", "ac", 25), ("😊", "😊", 100),
  ])
  func `chrF is 100 for the same text and 0 for another`(
    translation: String,
    reference: String,
    score: Double
  ) {
    var measure = ChrF()
    measure.add(translation, reference: reference)
    #expect(abs(measure.score - score) < 0.001)
  }

  @Test func `recall counts more than precision`() {
    var long = ChrF()
    long.add("good morning everybody", reference: "good morning")
    var short = ChrF()
    short.add("good morning", reference: "good morning everybody")
    #expect(long.score > short.score)
  }

  /// Columns of sentences, by language.
  private func references() throws -> (languages: [String], rows: [[String]]) {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let file = URL(filePath: "/\(tests)/Evaluation/translations.tsv")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: "\t").map(String.init)
    }
    return (rows[0], Array(rows.dropFirst()))
  }

  @Test func `chrF of each engine and pair of languages is printed`() throws {
    let (languages, rows) = try references()
    #expect(rows.count >= 20)
    #expect(rows.allSatisfy { $0.count == languages.count })
    #expect(languages == Phrasebook.standard.languages)
    let translator = OfflineTranslator()
    print("chrF over \(rows.count) sentences: phrasebook where it has them, pseudo for all")
    for (from, source) in languages.enumerated() {
      for (to, target) in languages.enumerated() where from != to && (from == 0 || to == 0) {
        var book = ChrF()
        var pseudo = ChrF()
        var count = 0
        for row in rows {
          let answer = translator.translate(row[from], from: source, to: target)
          if answer.engine == "phrasebook" {
            book.add(answer.text, reference: row[to])
            count += 1
          }
          let marked = PseudoTranslation.translate(row[from], to: target)
          pseudo.add(marked, reference: row[to])
        }
        let figures = String(
          format: "phrasebook %5.1f (%2d of %d)   pseudo %5.1f",
          book.score,
          count,
          rows.count,
          pseudo.score
        )
        print("\(source)-\(target)  \(figures)")
        #expect(book.score > pseudo.score)
        #expect(count >= 5)
      }
    }
  }
}
