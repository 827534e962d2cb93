/// The aliases that a model uses for people: `P1`, `P2` …
///
/// A model receives neither user ids nor the names of profiles. Names in the messages' texts stay
/// as they are.
package struct Aliases: Sendable {
  private static let nobody = "?"

  private var aliases: [String: String] = [:]
  /// The people's display names without hidden characters, by alias.
  private var called: [String: String] = [:]
  /// The people's names in a form that may be shown, by alias.
  private var names: [String: String] = [:]

  /// Creates aliases for people.
  ///
  /// - Parameters:
  ///   - uids: the ids of everybody who may occur, in a stable order; duplicates are ignored.
  ///   - profiles: the profiles with their names, by user id.
  package init(_ uids: some Sequence<String>, profiles: [String: UserProfile]) {
    for uid in uids where aliases[uid] == nil {
      let alias = "P\(aliases.count + 1)"
      aliases[uid] = alias
      let name = Self.name(profiles[uid]?.displayName ?? "")
      guard !name.isEmpty else { continue }
      called[alias] = name
      // Answers show names, and a name could add a link or markup to an answer. Most names that
      // look like a link lack a space after a full stop.
      names[alias] = [name, Self.spaced(name)].first { Self.hazards(in: $0).isEmpty }
    }
  }

  /// Creates aliases for a conversation's participants, and then for other authors of its messages.
  package init(
    in conversation: Conversation,
    messages: [Message],
    profiles: [String: UserProfile]
  ) {
    self.init(
      conversation.participants + messages.compactMap(\.senderID).sorted(),
      profiles: profiles
    )
  }

  /// Returns the findings in a text except symbols and Markdown marks, which any name may contain.
  private static func hazards(in text: String) -> Set<PlainText.Finding> {
    Set(PlainText.findings(in: text).filter { $0.kind != .symbol && $0.kind != .style })
  }

  private static func spaced(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.flatMap { $0 == "." ? [$0, " "] : [$0] }
      )
    )
  }

  package subscript(uid: String) -> String? { aliases[uid] }

  /// A name of a person in a text.
  package struct Mention: Sendable, Hashable, Encodable {
    /// The name as written in the text.
    package var name: String
    package var person: String
  }

  /// Returns the mentions of people in a text, in order.
  ///
  /// A mention is a display name or its first word, in any letter case.
  ///
  /// The names in the text aren't replaced, because many names are also words and display names are
  /// arbitrary.
  package func mentions(in text: String) -> [Mention] {
    let spellings = Dictionary(grouping: spellings) { $0.words[0] }
    var mentions: [Mention] = []
    let words = Self.words(of: text)
    let folded = words.map(Self.folded)
    var index = 0
    while index < words.count {
      let rest = folded[index...]
      guard let found = spellings[folded[index]]?.first(where: { rest.starts(with: $0.words) })
      else {
        index += 1
        continue
      }
      let name = words[index...].prefix(found.words.count)
      mentions.append(Mention(name: Self.text(name.joined()), person: found.alias))
      index += found.words.count
    }
    return mentions
  }

  /// Returns a Boolean value that indicates whether every alias in brackets, such as `[P2]`, is
  /// known or occurs in users' texts.
  ///
  /// - Parameter texts: the users' texts.
  package func knowsEverybody(in text: String, about texts: [String] = []) -> Bool {
    let known = Set(aliases.values.map { Array($0.unicodeScalars) } + texts.flatMap(Self.words))
    let words = Self.words(of: text)
    return words.indices.allSatisfy { index in
      guard Self.isBracketed(index, in: words), words[index].first == "P", words[index].count > 1,
        words[index].dropFirst().allSatisfy({ ("0"..."9").contains($0) })
      else { return true }
      return known.contains(words[index])
    }
  }

  /// Returns a model's text with names instead of aliases.
  ///
  /// An alias has the form `[P2]`. The form `P2` counts only if users' texts don't contain it. A
  /// person without a name to show becomes a question mark. Unknown aliases stay. If a name and the
  /// text beside it would form a link or markup, as in `[P2].com`, all aliases stay. Aliases inside
  /// inserted names aren't replaced.
  ///
  /// - Parameter texts: the users' texts.
  package func showingNames(in text: String, about texts: [String] = []) -> String {
    let theirs = Set(texts.flatMap(Self.words))
    let known = Dictionary(
      uniqueKeysWithValues: aliases.values.map {
        (Array($0.unicodeScalars), names[$0] ?? Self.nobody)
      }
    )
    var words = Self.words(of: text)
    for (index, word) in words.enumerated() {
      guard let name = known[word] else { continue }
      let isBracketed = Self.isBracketed(index, in: words)
      guard isBracketed || !theirs.contains(word) else { continue }
      words[index] = Array(name.unicodeScalars)
      if isBracketed {
        words[index - 1] = []
        words[index + 1] = []
      }
    }
    let result = Self.text(words.joined())
    return Self.hazards(in: result).isSubset(of: Self.hazards(in: text)) ? result : text
  }

  private static func isBracketed(_ index: Int, in words: [[Unicode.Scalar]]) -> Bool {
    index > 0 && index + 1 < words.count && words[index - 1] == ["["] && words[index + 1] == ["]"]
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Returns a name without hidden characters and surrounding white space, or an empty text if
  /// nothing is visible.
  private static func name(_ text: String) -> String {
    var scalars = PromptText.visible(text, maximum: longestName).unicodeScalars[...]
    scalars = scalars.drop(while: \.properties.isWhitespace)
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }

  /// The names by which a text may mention each person, as folded words, the longest first. A name
  /// that two people share is left out.
  private var spellings: [(words: [String], alias: String)] {
    var spellings: [[String]: Set<String>] = [:]
    for (alias, name) in called {
      let words = Self.words(of: name).map(Self.folded)
      let first = words.prefix { $0.unicodeScalars.allSatisfy(\.isOfWord) }
      for words in [words, Array(first)] where Self.canBeCalled(words) {
        spellings[words, default: []].insert(alias)
      }
    }
    return spellings.compactMap { words, aliases in
      aliases.count == 1 ? aliases.first.map { (words, $0) } : nil
    }
    .sorted { ($0.words.count, $0.alias) > ($1.words.count, $1.alias) }
  }

  /// Returns a word in lower case, for the comparison of names. Unicode's equivalent forms compare
  /// as equal.
  ///
  /// A word longer than `longestName` becomes empty, since comparing a long row of combining marks
  /// takes long.
  private static func folded(_ word: [Unicode.Scalar]) -> String {
    word.count > longestName ? "" : text(word).lowercased()
  }

  /// The maximum length of a name, in Unicode scalars.
  private static let longestName = 40

  /// Returns a Boolean value that indicates whether words can be a person's name in a text.
  ///
  /// A single letter, a number or a punctuation mark can't, even if it is somebody's name.
  private static func canBeCalled(_ words: [String]) -> Bool {
    let scalars = words.joined().unicodeScalars
    return scalars.count > 1 && scalars.contains(where: \.properties.isAlphabetic)
  }

  /// Splits a text into runs of letters and digits, and single other scalars. Joined together, the
  /// parts are the text.
  ///
  /// In scripts without spaces, each letter is a word.
  private static func words(of text: String) -> [[Unicode.Scalar]] {
    var words: [[Unicode.Scalar]] = []
    var isInWord = false
    for scalar in text.unicodeScalars {
      let isPart = scalar.isOfWord && !scalar.isOfUnspacedScript
      if isPart, isInWord {
        words[words.count - 1].append(scalar)
      } else {
        words.append([scalar])
      }
      isInWord = isPart
    }
    return words
  }
}
