import CRE2

extension Pattern {
  /// Returns whether the pattern matches a part of the text.
  func isFound(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var ranges: [re2_range] = [re2_range()]
      return find(in: bytes, from: 0, &ranges)
    }
  }
}
