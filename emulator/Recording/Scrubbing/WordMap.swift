import Cryptography
import LanguageDetection
import Platform
import Synchronization

/// Replaces words, each always by the same other one, of the same length and letters of the same
/// kind. Which one follows from a number that nobody keeps.
final class WordMap: Sendable {
  private struct State {
    var others: [String: String] = [:]
    var taken: Set<String> = []
    var hashes: [String: String] = [:]
    var irreplaceable: Set<Unicode.Scalar> = []
  }

  private let salt = UInt64.random(in: .min ... .max)
  private let kept: Set<String>
  private let replaced: Set<String>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - kept: words that stay, whatever they are.
  ///   - replaced: texts whose words don't stay even if they are common.
  init(kept: Set<String>, replaced: Set<String>) {
    self.kept = Set(kept.map { $0.lowercased() })
    var words: Set<String> = []
    for text in replaced {
      for piece in TextPiece.all(of: text) {
        if case .word(let word) = piece { words.insert(word.lowercased()) }
      }
    }
    self.replaced = words
  }

  /// Learns what hashes become, as they are made of texts in the chat's documents.
  ///
  /// - Parameter find: calls back with texts and what they become.
  func addHashes(_ find: ((_ text: String, _ other: String) -> Void) -> Void) {
    find { text, other in
      let (old, new) = (SHA256.hexadecimal(text.utf8), SHA256.hexadecimal(other.utf8))
      state.withLock { state in
        state.hashes[old] = new
        state.hashes[String(old.prefix(20))] = String(new.prefix(20))
        state.hashes["t" + old.prefix(32)] = "t" + new.prefix(32)
      }
    }
  }

  /// What a hash becomes; nil if it is none of the texts'.
  func hash(_ text: String) -> String? { state.withLock { $0.hashes[text] } }

  /// Letters that have no other to stand for them, in the texts so far.
  var irreplaceable: Set<Unicode.Scalar> { state.withLock(\.irreplaceable) }

  /// The text with other words.
  func replace(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    let pieces = TextPiece.all(of: text)
    let numbers = TextPiece.longNumbers(in: pieces)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .other(let scalar): result.append(scalar)
      case .word(let word):
        let other = replace(word: word, isLongNumber: numbers.contains(index))
        result.append(contentsOf: other.unicodeScalars)
      case .contraction(let whole, let parts):
        if isCommon(whole.lowercased()) {
          result.append(contentsOf: whole.unicodeScalars)
        } else {
          result.append(contentsOf: parts.map { replace(word: $0) }.joined().unicodeScalars)
        }
      }
    }
    return String(result)
  }

  private func replace(word: String, isLongNumber: Bool = false) -> String {
    let scalars = Array(word.unicodeScalars)
    let small = scalars.map(\.small)
    let key = String(String.UnicodeScalarView(small))
    if let hash = hash(word) { return hash }
    if !isLongNumber, isKept(key, small) { return word }
    let other = Array(other(than: key, small).unicodeScalars)
    var result = String.UnicodeScalarView()
    for (old, new) in zip(scalars, other) {
      result.append(old.properties.isUppercase ? new.large : new)
    }
    return String(result)
  }

  private func isCommon(_ word: String) -> Bool {
    !replaced.contains(word) && LanguageDetector.isCommonWord(word)
  }

  private func isKept(_ word: String, _ scalars: [Unicode.Scalar]) -> Bool {
    if kept.contains(word) { return true }
    if Self.isPlaceholder(scalars) { return true }
    // Numbers that tell of nobody, and what people and messages are called in front of a model.
    let digits = scalars.drop { $0 == "p" || $0 == "m" }
    if scalars.count - digits.count <= 1, digits.count <= 2, !digits.isEmpty,
      digits.allSatisfy({ ("0"..."9").contains($0) })
    {
      // Of ids every number is replaced: alone, and where one id is made of several.
      return digits.count < scalars.count || !replaced.contains(word)
    }
    if scalars.count == 1, !replaced.contains(word) { return !Letters.isSingleWord(scalars[0]) }
    return isCommon(word)
  }

  /// What stands for a number or a link in front of a translator, `X0X`.
  private static func isPlaceholder(_ scalars: [Unicode.Scalar]) -> Bool {
    (3...4).contains(scalars.count) && scalars.first == "x" && scalars.last == "x"
      && scalars.dropFirst().dropLast().allSatisfy { ("0"..."9").contains($0) }
  }

  private func other(than word: String, _ scalars: [Unicode.Scalar]) -> String {
    state.withLock { state in
      if let known = state.others[word] { return known }
      var other = word
      let isHexadecimal = word.isHash && !scalars.allSatisfy(\.isNumber)
      for attempt in 0..<64 {
        let digest = SHA256.digest("\(salt)|\(attempt)|\(word)".utf8)
        var view = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
          let number = Int(digest[index % 32]) + 256 * Int(digest[(index + 7) % 32]) + index / 32
          if isHexadecimal {
            view.append(Letters.hexadecimal(number))
          } else if let letter = Letters.other(than: scalar, number) {
            view.append(letter)
          } else {
            state.irreplaceable.insert(scalar)
            view.append(scalar)
          }
        }
        let candidate = String(view)
        guard candidate != word else { continue }
        // Where all are taken, it had better be another's than its own.
        other = candidate
        if !state.taken.contains(other), !LanguageDetector.isCommonWord(other) { break }
      }
      if other == word { state.irreplaceable.formUnion(scalars.filter(Letters.isReplaced)) }
      state.taken.insert(other)
      state.others[word] = other
      return other
    }
  }
}

extension Unicode.Scalar {
  /// Itself in small letters, if that is one scalar.
  fileprivate var small: Unicode.Scalar {
    let mapping = properties.lowercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? self : self
  }

  fileprivate var large: Unicode.Scalar {
    let mapping = properties.uppercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? self : self
  }
}
