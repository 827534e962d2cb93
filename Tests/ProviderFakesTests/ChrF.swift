/// The chrF score: the similarity of translations to reference translations (Popović 2015).
///
/// It is the F-score of the character n-grams (one to six characters) that both have. Recall counts
/// twice as much as precision. White space doesn't count. For several sentences, the counts are
/// summed before the score is computed.
struct ChrF {
  private static let longest = 6
  private static let beta = 2.0

  private var shared = [Int](repeating: 0, count: longest)
  private var given = [Int](repeating: 0, count: longest)
  private var wanted = [Int](repeating: 0, count: longest)

  mutating func add(_ translation: String, reference: String) {
    for length in 1...Self.longest {
      let own = Self.groups(of: translation, length: length)
      let other = Self.groups(of: reference, length: length)
      given[length - 1] += own.values.reduce(0, +)
      wanted[length - 1] += other.values.reduce(0, +)
      shared[length - 1] += own.reduce(0) { $0 + min($1.value, other[$1.key] ?? 0) }
    }
  }

  /// The score, from 0 (nothing in common) to 100 (the same text).
  ///
  /// A length is ignored if one of the texts has no n-grams of that length.
  var score: Double {
    let lengths = shared.indices.filter { given[$0] > 0 && wanted[$0] > 0 }
    guard !lengths.isEmpty else { return 0 }
    let count = Double(lengths.count)
    let precision = lengths.reduce(0) { $0 + Double(shared[$1]) / Double(given[$1]) } / count
    let recall = lengths.reduce(0) { $0 + Double(shared[$1]) / Double(wanted[$1]) } / count
    guard precision + recall > 0 else { return 0 }
    let weight = Self.beta * Self.beta
    return 100 * (1 + weight) * precision * recall / (weight * precision + recall)
  }

  private static func groups(of text: String, length: Int) -> [[Character]: Int] {
    let characters = text.filter { !$0.isWhitespace }.map { $0 }
    guard characters.count >= length else { return [:] }
    return (0...(characters.count - length)).reduce(into: [:]) { groups, start in
      groups[Array(characters[start..<(start + length)]), default: 0] += 1
    }
  }
}
