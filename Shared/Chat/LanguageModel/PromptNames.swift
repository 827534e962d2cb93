/// The names of people and messages in prompts, such as `P1` and `m1`.
enum PromptNames {
  /// Returns the names that are whole words in a text, in brackets or not.
  ///
  /// After a number, `m2` and `m3` are units.
  static func found(in text: String, includingPeople: Bool) -> Set<String> {
    var names: Set<String> = []
    var last: ArraySlice<Unicode.Scalar> = []
    for word in Array(text.unicodeScalars).split(whereSeparator: { !$0.isOfWord }) {
      if isName(word, includingPeople: includingPeople), !isUnit(word, behind: last) {
        names.insert(String(String.UnicodeScalarView(word)))
      }
      last = word
    }
    return names
  }

  private static func isName(_ word: ArraySlice<Unicode.Scalar>, includingPeople: Bool) -> Bool {
    let digits = word.dropFirst()
    guard word.first == "m" || word.first == "P" && includingPeople,
      (1...2).contains(digits.count), digits.first != "0"
    else { return false }
    return digits.allSatisfy { ("0"..."9").contains($0) }
  }

  private static func isUnit(
    _ word: ArraySlice<Unicode.Scalar>,
    behind last: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard word.first == "m", word.count == 2, word.last == "2" || word.last == "3",
      !last.isEmpty, last.endIndex + 1 == word.startIndex
    else { return false }
    return last.allSatisfy { $0.properties.numericType != nil }
  }
}
