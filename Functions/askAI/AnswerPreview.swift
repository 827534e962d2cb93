import Core
import Synchronization

/// Shows an answer sentence by sentence while the model writes it.
final class AnswerPreview: Sendable {
  private let sentences = Mutex<[Unicode.Scalar]>([])
  private let onSentence: @Sendable (QueryAnswer) -> Void

  /// - Parameter onSentence: gets the answer's whole sentences so far, each time there is another:
  ///   to be checked as a whole answer is.
  init(onSentence: @escaping @Sendable (QueryAnswer) -> Void) { self.onSentence = onSentence }

  /// - Parameter json: the model's answer so far.
  func show(_ json: String) {
    guard let text = PartialJSON.text(of: "answer", in: json.utf8) else { return }
    let whole = Self.wholeSentences(of: text)
    let scalars = Array(whole.unicodeScalars)
    let isNew = sentences.withLock { sentences in
      defer { sentences = scalars }
      return !scalars.isEmpty && scalars != sentences
    }
    if isNew { onSentence(QueryAnswer(answer: String(whole), found: true, sources: [])) }
  }

  /// Up to the last end of a sentence that something follows: the last word may still grow, and so
  /// may a number with a point in it.
  static func wholeSentences(of text: String) -> Substring {
    let scalars = text.unicodeScalars
    var end = scalars.startIndex
    for index in scalars.indices {
      let next = scalars.index(after: index)
      guard next < scalars.endIndex else { break }
      switch scalars[index] {
      case ".", "!", "?", "…", "؟", "।": if scalars[next].properties.isWhitespace { end = next }
      case "。", "！", "？": end = next
      case "\n": end = index
      default: break
      }
    }
    return text[..<end]
  }
}
