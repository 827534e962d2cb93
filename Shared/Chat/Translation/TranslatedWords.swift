import RPCStatus

/// What a translator may answer: words.
///
/// An answer is data of strangers. One that brings links, mentions or markup which weren't sent is
/// refused rather than cleaned: nobody knows what else it says that the text doesn't. Character
/// references such as `&#39;` stay as they are, since no markup is ever sent.
enum TranslatedWords {
  /// The words on one line, without white space at their ends.
  ///
  /// - Parameter source: what was sent.
  /// - Throws: `UNAVAILABLE` for no words, or a placeholder that nobody sent; `FAILED_PRECONDITION`
  ///   for links, mentions or markup that the source doesn't have: it would be the same next time.
  static func checked(_ answer: String, of source: String) throws(StatusError) -> String {
    let words = trimmed(onOneLine(answer))
    guard !words.isEmpty else {
      throw StatusError(.unavailable, "the translation provider answered with nothing")
    }
    let (asked, given) = (Contents(source), Contents(words))
    guard given.placeholders == 0 || given.placeholders <= asked.placeholders,
      !hasNewControls(words, beside: source)
    else {
      throw StatusError(.unavailable, "the translation provider answered with nonsense")
    }
    guard given.links <= asked.links, given.mentions <= asked.mentions, given.tags <= asked.tags
    else {
      throw StatusError(
        .failedPrecondition,
        "the translation has a link, a mention or markup that the text does not have"
      )
    }
    return words
  }

  /// Whether a text is one that could have been made of another: not many times as long, and without
  /// control characters of its own. A provider's answers are held to more; this is for the cache,
  /// which has them in one piece.
  static func isPlausible(_ text: String, of source: String) -> Bool {
    text.utf8.count <= 80 * source.utf8.count + 1_000 && !hasNewControls(text, beside: source)
  }

  private static func hasNewControls(_ text: String, beside source: String) -> Bool {
    func hasControls(_ text: String) -> Bool {
      text.utf8.contains {
        $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F
      }
    }
    return hasControls(text) && !hasControls(source)
  }

  /// What would break a line is a space.
  static func onOneLine(_ text: String) -> String {
    text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
  }

  static func trimmed(_ text: String) -> String {
    let rest = text.drop(while: \.isWhitespace)
    return String(rest.last?.isWhitespace == true ? rest.trimmedAtEnd : rest)
  }

  private struct Contents {
    var links = 0
    var mentions = 0
    var placeholders = 0
    /// Of HTML, and the middles of Markdown's links and pictures.
    var tags = 0

    init(_ text: String) {
      let characters = Array(text)
      for span in ProtectedSpans.found(in: characters) {
        switch span.kind {
        case .address: links += 1
        case .mention: mentions += 1
        case .placeholder: placeholders += 1
        case .code, .tag, .number, .emoji, .hostName: break
        }
      }
      for (character, next) in zip(characters, characters.dropFirst()) {
        if character == "<", next.isLetter || next == "/" || next == "!" { tags += 1 }
        if character == "]", next == "(" { tags += 1 }
      }
    }
  }
}

extension Substring {
  fileprivate var trimmedAtEnd: Substring {
    var rest = self
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
