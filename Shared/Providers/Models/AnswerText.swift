/// The JSON in what a model says. Some servers put thoughts before it, and a model that no schema
/// holds puts it between fences or into words of its own.
enum AnswerText {
  private static let thoughtsBegin = "<think>"
  private static let thoughtsEnd = "</think>"

  /// From the first brace behind the thoughts to the last; all that is there if there are none, or
  /// if it is a list.
  static func json(in content: String) -> Substring {
    let rest = withoutThoughts(content)
    guard let first = firstBrace(in: rest),
      let last = rest.utf8.lastIndex(of: UInt8(ascii: "}")), first < last
    else { return rest }
    return rest[first...last]
  }

  /// The same of an answer that is still growing; nil as long as there is nothing of it.
  static func beginning(in content: String) -> Substring? {
    let rest = withoutThoughts(content)
    return firstBrace(in: rest).map { rest[$0...] }
  }

  private static func firstBrace(in text: Substring) -> String.Index? {
    text.utf8.starts(with: "[".utf8) ? nil : text.utf8.firstIndex(of: UInt8(ascii: "{"))
  }

  /// Whether it begins with thoughts.
  static func hasThoughts(_ content: String) -> Bool {
    content.drop(while: \.isWhitespace).hasPrefix(thoughtsBegin)
  }

  private static func withoutThoughts(_ content: String) -> Substring {
    let text = content.drop(while: \.isWhitespace)
    guard !text.utf8.starts(with: "{".utf8) else { return text }
    // Where a template has begun the thoughts, only their end is in the answer.
    if let end = text.firstRange(of: thoughtsEnd) {
      return text[end.upperBound...].drop(while: \.isWhitespace)
    }
    return text.hasPrefix(thoughtsBegin) ? "" : text
  }
}
