/// What in the messages of one language may need an explanation for readers of others: turns of
/// phrase, slang, feasts and customs, forms of address.
///
/// It holds no phrases but cues: the few words that a phrase can't do without, so that its inflected
/// and interrupted forms are found, too. It errs on the side of finding something.
struct CultureLexicon: Sendable {
  /// One of the words of a cue.
  private struct Slot {
    var cue: Int
    var position: Int
  }

  /// How far apart two words of a cue may be, in words: as in "beating around the same old bush".
  private static let maximumDistance = 5

  private var words: [String: [Slot]] = [:]
  private var stems: [String: [Slot]] = [:]
  /// How many words each cue has.
  private var lengths: [Int] = []
  private var longestStem = 0

  /// - Parameter cues: in folded letters, a comma between them. A cue's words may stand in any order
  ///   and near each other; a slash is between words that do as well, a star ends a stem, and an
  ///   underscore ties two words together.
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

  /// Whether a text has all words of a cue near each other.
  ///
  /// - Parameter text: its words as `FoldedWords` has them.
  func hasCue(in text: [String]) -> Bool {
    var seen: [Int: [Int?]] = [:]
    for (index, word) in text.enumerated() {
      if index > 0, words["\(text[index - 1])_\(word)"] != nil { return true }
      for slot in slots(of: word) {
        let length = lengths[slot.cue]
        guard length > 1 else { return true }
        var places = seen[slot.cue] ?? Array(repeating: nil, count: length)
        // One word is one word of a cue.
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
