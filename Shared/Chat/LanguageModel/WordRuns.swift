/// The words of a text, for finding parts that repeat another text.
struct WordRuns {
  /// The words in order, as ranges of `scalars`.
  private let words: [Range<Int>]
  private let scalars: [Unicode.Scalar]

  /// Creates the words of a text.
  ///
  /// - Parameter text: the text. Letter case is ignored, and so is everything but letters. In
  ///   scripts without spaces, each letter is half a word.
  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var words: [Range<Int>] = []
    for (index, scalar) in scalars.enumerated() where Self.isOfWord(scalar) {
      let isSpaced = !scalar.isOfUnspacedScript
      if isSpaced, let last = words.last, last.upperBound == index,
        !scalars[last.lowerBound].isOfUnspacedScript
      {
        words[words.count - 1] = last.lowerBound..<(index + 1)
      } else {
        words.append(index..<(index + 1))
      }
    }
    self.words = words
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic
      || scalar.properties.canonicalCombiningClass != .notReordered
  }

  var count: Int { words.count }

  /// Returns all runs that have a given number of words.
  func runs(of length: Int) -> Set<[String]> {
    Set(ranges(of: length).map { spelled($0) })
  }

  /// Returns the text without the words of the given runs.
  func text(without runs: Set<[String]>, of length: Int) -> String {
    var isKept = Array(repeating: true, count: scalars.count)
    for range in ranges(of: length) where runs.contains(spelled(range)) {
      for word in words[range] {
        for index in word { isKept[index] = false }
      }
    }
    var kept = String.UnicodeScalarView()
    for (scalar, isKept) in zip(scalars, isKept) where isKept { kept.append(scalar) }
    return String(kept)
  }

  /// Returns the ranges of all runs of a length. A run can begin with any word.
  private func ranges(of length: Int) -> [Range<Int>] {
    words.indices.compactMap { start in
      var weight = 0
      var end = start
      while weight < 2 * length, end < words.count {
        weight += scalars[words[end].lowerBound].isOfUnspacedScript ? 1 : 2
        end += 1
      }
      return weight < 2 * length ? nil : start..<end
    }
  }

  /// The length to which words are cut. Hashing a long row of combining marks takes quadratic time.
  private static let maximumLength = 40

  private func spelled(_ range: Range<Int>) -> [String] {
    words[range].map { word in
      String(String.UnicodeScalarView(scalars[word].prefix(Self.maximumLength))).lowercased()
    }
  }
}
