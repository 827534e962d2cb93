/// What a model calls people: `P1`, `P2` … Neither their ids nor their names reach it.
package struct Aliases: Sendable {
  private var aliases: [String: String] = [:]
  private var names: [String: String] = [:]

  /// - Parameters:
  ///   - uids: everybody who may occur, in an order that doesn't change; repetitions are ignored.
  ///   - profiles: for their names, by user id.
  package init(_ uids: some Sequence<String>, profiles: [String: UserProfile]) {
    for uid in uids where aliases[uid] == nil {
      let alias = "P\(aliases.count + 1)"
      aliases[uid] = alias
      let name = PromptText.visible(profiles[uid]?.displayName ?? "", maximum: 40)
      // A name is shown in answers: one that is a link would make links of them.
      if !name.allSatisfy(\.isWhitespace), Links.found(in: name).isEmpty { names[alias] = name }
    }
  }

  package subscript(uid: String) -> String? { aliases[uid] }

  /// The text with `[P2]` where it has the display name of that person or the name's first word,
  /// in any letter case.
  package func hidingNames(in text: String) -> String {
    var words = Self.words(of: text)
    for (spelled, alias) in spellings {
      words = Self.replacing(spelled, with: "[\(alias)]", in: words)
    }
    return words.joined()
  }

  /// The text with names where a model wrote `[P2]`.
  ///
  /// An alias that is nobody's stays. What names contain is not looked at again.
  package func showingNames(in text: String) -> String {
    var parts = text.split(separator: "[", omittingEmptySubsequences: false)[...]
    var result = String(parts.popFirst() ?? "")
    for part in parts {
      let alias = part.prefix { $0 != "]" }
      if alias.endIndex < part.endIndex, let name = names[String(alias)] {
        result += name + part[part.index(after: alias.endIndex)...]
      } else {
        result += "[" + part
      }
    }
    return result
  }

  /// Every way to call a person, as folded words, the longest first. What two people are called
  /// names neither.
  private var spellings: [(words: [String], alias: String)] {
    var spellings: [[String]: Set<String>] = [:]
    for (alias, name) in names {
      let words = Self.words(of: name.lowercased())
      spellings[words, default: []].insert(alias)
      if let first = words.first, first.unicodeScalars.count > 1 {
        spellings[[first], default: []].insert(alias)
      }
    }
    return spellings.compactMap { words, aliases in
      aliases.count == 1 ? aliases.first.map { (words, $0) } : nil
    }
    .sorted { ($0.words.count, $0.alias) > ($1.words.count, $1.alias) }
  }

  /// Runs of letters and digits, and each other scalar by itself. Together they are the text.
  private static func words(of text: String) -> [String] {
    var words: [String.UnicodeScalarView] = []
    var isInWord = false
    for scalar in text.unicodeScalars {
      let isPart =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || scalar.properties.canonicalCombiningClass != .notReordered
      if isPart, isInWord {
        words[words.count - 1].append(scalar)
      } else {
        words.append(String.UnicodeScalarView([scalar]))
      }
      isInWord = isPart
    }
    return words.map { String($0) }
  }

  private static func replacing(
    _ spelled: [String],
    with replacement: String,
    in words: [String]
  ) -> [String] {
    var result: [String] = []
    var rest = words[...]
    while let word = rest.first {
      if rest.count >= spelled.count,
        zip(rest, spelled).allSatisfy({ $0.lowercased() == $1 })
      {
        result.append(replacement)
        rest.removeFirst(spelled.count)
      } else {
        result.append(word)
        rest.removeFirst()
      }
    }
    return result
  }
}
