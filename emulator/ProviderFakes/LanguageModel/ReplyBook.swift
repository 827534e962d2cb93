/// Replies to everyday messages in six languages.
struct ReplyBook: Sendable {
  /// The emulator's reply book, parsed at first use.
  static let standard = ReplyBook(tables: [plans, courtesy, smallTalk])

  /// The number of suggested replies.
  static let suggestionCount = 3

  /// The replies that fit any message of an intent, most likely first.
  let replies: [ReplyIntent: [ParallelText]]

  /// The emoji at the end of a reply, for writers who use emoji.
  let emoji: [ReplyIntent: String]

  /// The lines that can't be parsed, which are ignored.
  let malformedLines: [String]

  private let recognisers: [SpokenLanguage: PhraseIndex<ReplyIntent>]

  /// Parses tables. A line `# intent emoji` begins an intent. A line such as `it: ciao / salve`
  /// lists the intent's phrases in one language. A line with six columns is a reply.
  init(tables: [String]) {
    var replies: [ReplyIntent: [ParallelText]] = [:]
    var emoji: [ReplyIntent: String] = [:]
    var malformedLines: [String] = []
    var recognisers: [SpokenLanguage: PhraseIndex<ReplyIntent>] = [:]
    var intent: ReplyIntent?
    for line in tables.flatMap({ $0.split(separator: "\n") }) {
      let header = line.split(separator: " ")
      let label = line.split(separator: ": ", maxSplits: 1)
      if header.count == 3, header[0] == "#", let name = ReplyIntent(rawValue: String(header[1])) {
        intent = name
        emoji[name] = String(header[2])
      } else if let intent, let reply = ParallelText(line: line) {
        replies[intent, default: []].append(reply)
      } else if let intent, label.count == 2,
        let language = SpokenLanguage(rawValue: String(label[0]))
      {
        for phrase in label[1].split(separator: " / ") {
          recognisers[language, default: PhraseIndex()].insert(phrase, meaning: intent)
        }
      } else {
        malformedLines.append(String(line))
      }
    }
    self.replies = replies
    self.emoji = emoji
    self.malformedLines = malformedLines
    self.recognisers = recognisers
  }

  /// Returns the intent of a message.
  ///
  /// - Parameter language: the text's language code, or `nil` to try all languages.
  func intent(of text: String, language: String?) -> ReplyIntent {
    let words = Words(text)
    let known = language.map { SpokenLanguage(code: $0) }
    var found: Set<ReplyIntent> = [.other]
    for (spoken, index) in recognisers where known == nil || known == spoken {
      for match in index.matches(in: words) { found.insert(match.meaning) }
    }
    let isQuestion = text.unicodeScalars.contains { questionMarks.contains($0) }
    if isQuestion { found.insert(.yesNoQuestion) }
    return ReplyIntent.allCases.first { found.contains($0) && (isQuestion || !$0.isQuestion) }
      ?? .other
  }

  /// Returns three different replies to a message, each in a language and in its translation.
  ///
  /// - Parameter usesEmoji: a Boolean value that indicates whether the first reply ends with an
  ///   emoji.
  func suggestions(
    for message: ModelInput.Message?,
    in language: SpokenLanguage,
    translation: SpokenLanguage,
    usesEmoji: Bool
  ) -> [(text: String, translation: String)] {
    let intent = message.map { self.intent(of: $0.text, language: $0.language) } ?? .other
    let rows = (replies[intent] ?? []).prefix(Self.suggestionCount)
    return rows.enumerated().map { number, reply in
      let end = usesEmoji && number == 0 ? emoji[intent].map { " " + $0 } ?? "" : ""
      return (reply[language] + end, reply[translation] + end)
    }
  }
}

/// The question marks of common scripts.
private let questionMarks: Set<Unicode.Scalar> = ["?", "？", "؟", "⁇", "⁈", "⁉"]
