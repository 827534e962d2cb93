import Core
import Synchronization

/// The preview of an answer, sentence by sentence, while the model writes it.
final class AnswerPreview: Sendable {
  private let sentences = Mutex<[Unicode.Scalar]>([])
  private let onSentence: @Sendable (QueryAnswer) -> Void

  /// Creates a preview.
  ///
  /// - Parameter onSentence: called with all complete sentences so far whenever there is a new one.
  ///   The closure must check them like a complete answer.
  init(onSentence: @escaping @Sendable (QueryAnswer) -> Void) { self.onSentence = onSentence }

  /// Reports all complete sentences of an incomplete answer if one has been completed since the last
  /// report.
  ///
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

  /// Returns the text up to the last sentence end that is followed by another character.
  ///
  /// Without a following character, the last word or a decimal number may still be incomplete.
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
