import JSONCoding
import Synchronization

/// Shows an answer sentence by sentence while the model writes it.
final class AnswerPreview: Sendable {
  private let sentences = Mutex("")
  private let onSentence: @Sendable (QueryAnswer) -> Void

  /// - Parameter onSentence: gets the answer's whole sentences so far, each time there is another:
  ///   to be checked as a whole answer is.
  init(onSentence: @escaping @Sendable (QueryAnswer) -> Void) { self.onSentence = onSentence }

  /// - Parameter json: the model's answer so far.
  func show(_ json: String) {
    guard let text = PartialJSON.text(of: "answer", in: json.utf8) else { return }
    let whole = String(Self.wholeSentences(of: text))
    let isNew = sentences.withLock { sentences in
      defer { sentences = whole }
      return !whole.isEmpty && whole != sentences
    }
    if isNew { onSentence(QueryAnswer(answer: whole, found: true, sources: [])) }
  }

  /// Up to the last end of a sentence that something follows: the last word may still grow, and so
  /// may a number with a point in it.
  static func wholeSentences(of text: String) -> Substring {
    var end = text.startIndex
    for index in text.indices {
      let next = text.index(after: index)
      guard next < text.endIndex else { break }
      switch text[index] {
      case ".", "!", "?", "…", "؟", "।": if text[next].isWhitespace { end = next }
      case "。", "！", "？": end = next
      case "\n": end = index
      default: break
      }
    }
    return text[..<end]
  }
}
