import TestKit

/// The messages in `Tests/Evaluation` with which analyzeMessage's prefilter is evaluated.
///
/// They were written before the filter. The filter was tuned with one half only, and was evaluated
/// with the other half afterwards.
enum CultureMessages {
  enum Half: String, CaseIterable {
    case open = "culture"
    case heldOut = "culture-held-out"

    /// The name of a table of chat messages in the same languages.
    ///
    /// They were written for another evaluation. Hardly any of them is figurative.
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
