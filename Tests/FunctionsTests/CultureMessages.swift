import TestKit

/// The messages of Tests/Evaluation that analyzeMessage's prefilter is judged by.
///
/// They were written before the filter. Half of them were used to shape it; the other half was run
/// only afterwards.
enum CultureMessages {
  enum Half: String, CaseIterable {
    case open = "culture"
    case heldOut = "culture-held-out"

    /// Chat messages of the same languages, written for another test; hardly any is figurative.
    fileprivate var ordinaryOnes: String {
      switch self {
      case .open: "languages"
      case .heldOut: "languages-held-out"
      }
    }
  }

  struct Message {
    var language: String
    var isFigurative: Bool
    var text: String
  }

  static let languages = ["en", "es", "fr", "de", "it", "pt", "nl"]

  static func all(_ half: Half) throws -> [Message] {
    let messages = try Repository.evaluation(half.rawValue).map { columns in
      Message(
        language: columns[0],
        isFigurative: columns[1] == "figurative",
        text: columns[2]
      )
    }
    let texts = Set(messages.map(\.text))
    let others = try Repository.evaluation(half.ordinaryOnes).compactMap { columns in
      languages.contains(columns[0]) && !texts.contains(columns[1])
        ? Message(language: columns[0], isFigurative: false, text: columns[1]) : nil
    }
    return messages + others
  }
}
