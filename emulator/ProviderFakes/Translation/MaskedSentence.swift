/// A sentence in which masks replace a name, a number or a time.
struct MaskedSentence: Hashable, Sendable {
  /// The sentence in the form in which `Phrasebook` looks it up.
  var sentence: Sentence
  var values: [PhraseMask: String]

  /// Returns all ways to mask a sentence: at most one name, and at most one number or time.
  ///
  /// A name is a placeholder, a word that begins with @, or one or two capitalized words in a row
  /// that aren't common words of any language.
  static func all(of text: String, isCommonWord: (String) -> Bool) -> [MaskedSentence] {
    guard text.utf8.count <= maximumLength else { return [] }
    let words = MaskableWord.words(of: text)
    guard words.count <= maximumWords else { return [] }
    let names = words.indices.flatMap { index in
      [index...index, index...(index + 1)].filter { range in
        range.upperBound < words.count && isName(words[range], isCommonWord)
      }
    }
    var sentences: [MaskedSentence] = []
    for name in names.map(Optional.some) + [nil] {
      for number in words.indices.filter({ words[$0].isNumeric }).map(Optional.some) + [nil] {
        if let name, let number, name.contains(number) { continue }
        let numberMasks: [PhraseMask?] = number.map { words[$0].numberMasks } ?? [nil]
        for mask in numberMasks where name != nil || mask != nil {
          var places: [(range: Range<String.Index>, mask: PhraseMask)] = []
          if let name {
            let (first, last) = (words[name.lowerBound], words[name.upperBound])
            places.append((first.range.lowerBound..<last.range.upperBound, .name))
          }
          if let number, let mask { places.append((words[number].range, mask)) }
          sentences.append(MaskedSentence(text, places))
        }
      }
    }
    return sentences
  }

  // All phrases are much shorter than these limits.
  private static let maximumLength = 200
  private static let maximumWords = 16

  private init(_ text: String, _ places: [(range: Range<String.Index>, mask: PhraseMask)]) {
    var masked = text
    values = [:]
    for place in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      values[place.mask] = String(text[place.range])
      masked.replaceSubrange(place.range, with: place.mask.rawValue)
    }
    sentence = Sentence(MaskedSentence.withoutCommas(masked))
  }

  /// Returns the text without commas around a name: "Hi, Marco!" and "Hi Marco!" are equal.
  static func withoutCommas(_ masked: String) -> String {
    let name = PhraseMask.name.rawValue
    return masked.replacing(", \(name)", with: " \(name)").replacing("\(name), ", with: "\(name) ")
  }

  private static func isName(
    _ words: ArraySlice<MaskableWord>,
    _ isCommonWord: (String) -> Bool
  ) -> Bool {
    if words.count == 1, let word = words.first, word.isHandle || word.isPlaceholder {
      return true
    }
    return words.allSatisfy { $0.isCapitalized && !isCommonWord($0.text.lowercased()) }
      && words.dropLast().allSatisfy(\.isJoined)
  }
}
