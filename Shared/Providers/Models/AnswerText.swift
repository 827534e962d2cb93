/// The extraction of JSON from a model's text.
///
/// Some servers put reasoning before the JSON. Without a schema, a model may put code fences or
/// text around it.
enum AnswerText {
  private static let thoughtsBegin = "<think>"
  private static let thoughtsEnd = "</think>"

  /// Returns the text after the reasoning, from its first brace to its last.
  ///
  /// A text without a brace is returned as a whole, and so is a list.
  static func json(in content: String) -> Substring {
    let rest = withoutThoughts(content)
    guard let first = firstBrace(in: rest),
      let last = rest.utf8.lastIndex(of: UInt8(ascii: "}")), first < last
    else { return rest }
    return rest[first...last]
  }

  /// Returns the JSON of an incomplete answer so far, or `nil` if the JSON hasn't begun.
  static func beginning(in content: String) -> Substring? {
    let rest = withoutThoughts(content)
    return firstBrace(in: rest).map { rest[$0...] }
  }

  private static func firstBrace(in text: Substring) -> String.Index? {
    text.utf8.starts(with: "[".utf8) ? nil : text.utf8.firstIndex(of: UInt8(ascii: "{"))
  }

  /// Returns a Boolean value that indicates whether a text begins with reasoning.
  static func hasThoughts(_ content: String) -> Bool {
    content.drop(while: \.isWhitespace).hasPrefix(thoughtsBegin)
  }

  private static func withoutThoughts(_ content: String) -> Substring {
    let text = content.drop(while: \.isWhitespace)
    guard !text.utf8.starts(with: "{".utf8) else { return text }
    // Some servers put the begin tag into the prompt. Then the text has only the end tag.
    if let end = text.firstRange(of: thoughtsEnd) {
      return text[end.upperBound...].drop(while: \.isWhitespace)
    }
    return text.hasPrefix(thoughtsBegin) ? "" : text
  }
}
