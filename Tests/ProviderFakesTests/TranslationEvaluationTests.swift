import Foundation
import TestKit
import Testing

@testable import ProviderFakes

/// The quality of the translator's engines, which `make evaluate-engines` prints.
///
/// It is the similarity of their translations to reference translations written for this package.
struct TranslationEvaluationTests {
  @Test(arguments: [
    ("abc def", "abc def", 100), ("abcdef", "abc def", 100), ("abc", "xyz", 0), ("", "abc", 0),
    ("abc", "", 0), ("", "", 0), ("a", "a", 100),
    // The precision for "ab" is (1/2 + 0/1) / 2. The recall is the same.
    ("ab", "ac", 25), ("😊", "😊", 100),
  ])
  func `chrF is 100 for equal texts and 0 for unrelated ones`(
    translation: String,
    reference: String,
    score: Double
  ) {
    var measure = ChrF()
    measure.add(translation, reference: reference)
    #expect(abs(measure.score - score) < 0.001)
  }

  @Test func `chrF weighs recall more than precision`() {
    var long = ChrF()
    long.add("good morning everybody", reference: "good morning")
    var short = ChrF()
    short.add("good morning", reference: "good morning everybody")
    #expect(long.score > short.score)
  }

  /// Returns the reference sentences: the languages of the columns, and the rows.
  private func references() throws -> (languages: [String], rows: [[String]]) {
    let rows = try Repository.evaluation("translations")
    return (rows[0], Array(rows.dropFirst()))
  }

  @Test func `chrF of each engine and pair of languages is printed`() async throws {
    let (languages, rows) = try references()
    #expect(rows.count >= 20)
    #expect(rows.allSatisfy { $0.count == languages.count })
    #expect(languages == Phrasebook.standard.languages)
    let book = OfflineTranslator()
    let apertium = installedApertium()
    let rules = apertium.map { OfflineTranslator(phrasebook: nil, apertium: $0) }
    print("chrF over \(rows.count) sentences: engines where they have them, pseudo for all")
    for (from, source) in languages.enumerated() {
      for (to, target) in languages.enumerated() where from != to {
        let pairs = rows.map { (text: $0[from], reference: $0[to]) }
        var pseudo = ChrF()
        for pair in pairs {
          pseudo.add(
            PseudoTranslation.translate(pair.text, to: target),
            reference: pair.reference
          )
        }
        var line = "\(source)-\(target)"
        for (engine, translator) in [("phrasebook", book), ("apertium", rules)] {
          guard let translator else { continue }
          let (score, count) = await measure(translator, engine, source, target, pairs)
          #expect(engine != "phrasebook" || count >= 5)
          guard count > 0 else { continue }
          line += String(format: "  \(engine) %5.1f (%2d of %d)", score, count, rows.count)
          #expect(score > pseudo.score)
        }
        print(line + String(format: "  pseudo %5.1f", pseudo.score))
      }
    }
    await apertium?.end()
  }

  /// - Returns: the chrF score of the texts that this engine translated, and the number of these
  ///   texts.
  private func measure(
    _ translator: OfflineTranslator,
    _ engine: String,
    _ source: String,
    _ target: String,
    _ pairs: [(text: String, reference: String)]
  ) async -> (score: Double, count: Int) {
    var measure = ChrF()
    var count = 0
    for pair in pairs {
      let answer = await translator.translate(pair.text, from: source, to: target)
      guard answer.engine.hasPrefix(engine) else { continue }
      measure.add(answer.text, reference: pair.reference)
      count += 1
    }
    return (measure.score, count)
  }
}
