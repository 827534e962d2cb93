extension String {
  /// Returns the text, or its beginning with `…` if it has more bytes than `limit`.
  package func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: max(0, limit))
    // A scalar isn't divided.
    while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end]) + "…"
  }
}
