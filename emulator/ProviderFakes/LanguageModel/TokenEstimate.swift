/// An estimate of token counts without a tokenizer: a token for every four bytes of UTF-8.
enum TokenEstimate {
  private static let bytesPerToken = 4

  static func tokens(in text: String) -> Int {
    (text.utf8.count + bytesPerToken - 1) / bytesPerToken
  }

  /// Returns the beginning of a text, at most the given number of tokens long.
  static func cut(_ text: String, to tokens: Int) -> String {
    let (bytes, overflow) = tokens.multipliedReportingOverflow(by: bytesPerToken)
    guard !overflow, text.utf8.count > bytes else { return text }
    var kept = String.UnicodeScalarView()
    var room = bytes
    for scalar in text.unicodeScalars {
      room -= UTF8.width(scalar)
      if room < 0 { break }
      kept.append(scalar)
    }
    return String(kept)
  }

  /// Returns the text in a few pieces, for a stream.
  static func pieces(of text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    let length = max(1, (scalars.count + 3) / 4)
    return stride(from: 0, to: scalars.count, by: length).map { start in
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[start..<min(start + length, scalars.count)])
      return String(piece)
    }
  }
}
