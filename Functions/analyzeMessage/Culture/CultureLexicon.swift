/// The cues of one language for messages that may need an explanation: idioms, slang, feasts,
/// customs and forms of address.
///
/// A cue is not a whole phrase but the few words that the phrase always contains. So inflected
/// forms match, too, and so do forms with other words in between. False positives are preferred to
/// false negatives.
struct CultureLexicon: Sendable {
  /// The position of a word in a cue.
  private struct Slot {
    var cue: Int
    var position: Int
  }

  /// The maximum distance between two words of a cue, in words, as in "beating around the same old
  /// bush".
  private static let maximumDistance = 5

  private var words: [String: [Slot]] = [:]
  private var stems: [String: [Slot]] = [:]
  /// The number of words of each cue.
  private var lengths: [Int] = []
  private var longestStem = 0

  /// Creates a lexicon from a list of cues.
  ///
  /// - Parameter cues: the cues in folded letters, separated by commas. A cue's words match in any
  ///   order near each other. A slash separates alternatives, a star ends a stem, and an underscore
  ///   joins two adjacent words.
  init(_ cues: String) {
    for cue in cues.utf8.split(separator: UInt8(ascii: ",")) {
      let parts = cue.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      for (position, part) in parts.enumerated() {
        let slot = Slot(cue: lengths.count, position: position)
        for word in part.split(separator: UInt8(ascii: "/")) {
          if word.last == UInt8(ascii: "*") {
            let stem = String(Substring(word.dropLast()))
            stems[stem, default: []].append(slot)
            longestStem = max(longestStem, stem.utf8.count)
          } else {
            words[String(Substring(word)), default: []].append(slot)
          }
        }
      }
      lengths.append(parts.count)
    }
  }

  /// Returns whether a text has all words of a cue near each other.
  ///
  /// - Parameter text: the text's words, as `FoldedWords` returns them.
  func hasCue(in text: [String]) -> Bool {
    var seen: [Int: [Int?]] = [:]
    for (index, word) in text.enumerated() {
      if index > 0, words["\(text[index - 1])_\(word)"] != nil { return true }
      for slot in slots(of: word) {
        let length = lengths[slot.cue]
        guard length > 1 else { return true }
        var places = seen[slot.cue] ?? Array(repeating: nil, count: length)
        // A word of the text fills only one position of a cue.
        guard !places.contains(index) else { continue }
        places[slot.position] = index
        seen[slot.cue] = places
        let found = places.compactMap(\.self)
        if found.count == length, let first = found.min(),
          index - first <= (length - 1) * Self.maximumDistance
        {
          return true
        }
      }
    }
    return false
  }

  private func slots(of word: String) -> [Slot] {
    var slots = words[word] ?? []
    var stem = ""
    for letter in word.unicodeScalars.prefix(longestStem) {
      stem.unicodeScalars.append(letter)
      if let found = stems[stem] { slots += found }
    }
    return slots
  }
}
