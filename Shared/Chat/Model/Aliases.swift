/// What a model calls people: `P1`, `P2` … Neither their ids nor the names of their profiles are sent
/// to it. What people call each other in messages stays as they wrote it.
package struct Aliases: Sendable {
  private static let nobody = "?"

  private var aliases: [String: String] = [:]
  /// What people are called, by alias.
  private var called: [String: String] = [:]
  /// The same as it may be shown.
  private var names: [String: String] = [:]

  /// - Parameters:
  ///   - uids: everybody who may occur, in an order that doesn't change; repetitions are ignored.
  ///   - profiles: for their names, by user id.
  package init(_ uids: some Sequence<String>, profiles: [String: UserProfile]) {
    for uid in uids where aliases[uid] == nil {
      let alias = "P\(aliases.count + 1)"
      aliases[uid] = alias
      let name = Self.name(profiles[uid]?.displayName ?? "")
      guard !name.isEmpty else { continue }
      called[alias] = name
      // A name is shown in answers: one that is a link or markup would put it there. Most that look
      // like a link lack a space behind a full stop.
      names[alias] = [name, Self.spaced(name)].first { Self.hazards(in: $0).isEmpty }
    }
  }

  /// Of everybody who is in a conversation now, and then of who else wrote messages of it.
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

  /// The findings in a text but for ornaments, which anybody may wear.
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

  /// A name that a text calls somebody by.
  package struct Mention: Sendable, Hashable, Encodable {
    /// As the text has it.
    package var name: String
    package var person: String
  }

  /// Whom a text calls by their display name or the name's first word, in any letter case, each
  /// occurrence in its order.
  ///
  /// The text itself stays as it is: many names are words as well, and anybody may call themselves
  /// what they like.
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

  /// Whether every `[P2]` of a text is somebody, or said by people themselves.
  ///
  /// - Parameter texts: what people wrote.
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

  /// The text with names where a model wrote `[P2]`, or `P2` unless people themselves write so.
  ///
  /// Who has no name that can be shown is a question mark. An alias that is nobody's stays, and
  /// all stay where a name would make a link or markup with what stands beside it, as in
  /// `[P2].com`. What names contain is not looked at again.
  ///
  /// - Parameter texts: what people wrote.
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

  /// The name as it is shown, without white space around it; empty if nothing of it can be seen.
  private static func name(_ text: String) -> String {
    var scalars = PromptText.visible(text, maximum: longestName).unicodeScalars[...]
    scalars = scalars.drop(while: \.properties.isWhitespace)
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }

  /// Every way to call a person, as folded words, the longest first. What two people are called
  /// names neither.
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

  /// A word by which names are compared: in small letters, and accents alike however they are
  /// encoded. What is longer than a name is empty; to compare an endless row of marks takes long.
  private static func folded(_ word: [Unicode.Scalar]) -> String {
    word.count > longestName ? "" : text(word).lowercased()
  }

  /// In Unicode scalars.
  private static let longestName = 40

  /// A single letter, a number or a mark may be anybody's name, but stands for itself in a text.
  private static func canBeCalled(_ words: [String]) -> Bool {
    let scalars = words.joined().unicodeScalars
    return scalars.count > 1 && scalars.contains(where: \.properties.isAlphabetic)
  }

  /// Runs of letters and digits, and each other scalar by itself. Together they are the text.
  ///
  /// Where no spaces show what a word is, each letter is one.
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
