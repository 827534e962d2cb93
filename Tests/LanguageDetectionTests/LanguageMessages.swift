import Foundation
import TestKit

/// The messages in `Tests/Evaluation` with which the detector is evaluated.
///
/// They were written before the present detector. It was tuned with one half only, and was
/// evaluated with the other half afterwards.
enum LanguageMessages {
  enum Half: String, CaseIterable {
    case open = "languages"
    case heldOut = "languages-held-out"
  }

  struct Message {
    var language: String
    var text: String
  }

  static let languages = [
    "en", "es", "it", "fr", "pt", "de", "ja", "zh", "ko", "ar", "hi", "ru",
  ]

  static func all(_ half: Half) throws -> [Message] {
    try Repository.evaluation(half.rawValue).map { Message(language: $0[0], text: $0[1]) }
  }
}

/// A table that counts messages by their language and their detected language.
struct ConfusionTable: CustomStringConvertible {
  private var counts: [String: [String: Int]] = [:]
  private(set) var total = 0
  private(set) var right = 0

  mutating func add(_ detected: String?, for language: String) {
    counts[language, default: [:]][detected ?? "-", default: 0] += 1
    total += 1
    if detected == language { right += 1 }
  }

  /// The share of correct results, in percent.
  var accuracy: Double { 100 * Double(right) / Double(max(1, total)) }

  /// The table as text: a row for each language, and a column for each detected language.
  ///
  /// The column `-` counts undecided messages.
  var description: String {
    let others = Set(counts.values.flatMap(\.keys)).subtracting(LanguageMessages.languages)
    let columns = LanguageMessages.languages + others.sorted()
    let head = "   " + columns.map(Self.cell).joined()
    let rows = LanguageMessages.languages.map { language in
      let row = counts[language] ?? [:]
      return language + " " + columns.map { Self.cell(row[$0].map(String.init) ?? ".") }.joined()
    }
    let share = String(format: "%.1f %%", accuracy)
    return ([head] + rows + ["\(right) of \(total): \(share)"]).joined(separator: "\n")
  }

  private static func cell(_ text: String) -> String {
    String(repeating: " ", count: max(0, 6 - text.count)) + text
  }
}
