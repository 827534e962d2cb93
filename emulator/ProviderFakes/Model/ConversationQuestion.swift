/// What a question about a conversation asks for, as far as its words tell.
struct ConversationQuestion: Sendable {
  /// What it is about, without the words that every question has.
  let keywords: [Keyword]

  /// Who is asked about, in lower case, such as `p2`; empty for everybody.
  let people: Set<String>

  /// What they are called in the question, folded.
  let names: Set<String>

  /// Whether it asks what people agreed on.
  let isAboutDecision: Bool

  /// A longer question has no more to say.
  private static let maximumKeywords = 16

  /// - Parameter mentions: whom names in it mean. A name that is also a word that any question may
  ///   have is taken for the word.
  init(_ question: String, mentions: [(name: String, person: String)] = []) {
    let words = Words(question)
    var peopleByName: [String: String] = [:]
    for (name, person) in mentions {
      for word in Words(name).words where !StopWords.all.contains(word.folded) {
        peopleByName[word.folded] = person.lowercased()
      }
    }
    let decisions = Array(DecisionWords.asking.matches(in: words))
    let skipped = Set(decisions.flatMap { Array($0.words) })
    var keywords: [Keyword] = []
    var people: Set<String> = []
    for (number, word) in words.words.enumerated() {
      if Self.isPerson(word, in: question) {
        people.insert(word.folded)
      } else if let person = peopleByName[word.folded] {
        people.insert(person)
      } else if keywords.count < Self.maximumKeywords, !skipped.contains(number),
        !StopWords.all.contains(word.folded)
      {
        let keyword = Keyword(word: Glossary.standard.subject(of: word.folded))
        if !keywords.contains(keyword) { keywords.append(keyword) }
      }
    }
    self.keywords = keywords
    self.people = people
    names = Set(peopleByName.keys)
    isAboutDecision = !decisions.isEmpty
  }

  /// How many of the keywords a text has.
  func sharedKeywords(with words: Words) -> Int {
    var missing = keywords
    for word in words.words where !missing.isEmpty {
      let subject = Glossary.standard.subject(of: word.folded)
      missing.removeAll { $0.fits(subject) || $0.fits(word.folded) }
    }
    return keywords.count - missing.count
  }

  /// `[P2]`: the brackets tell a person from the word.
  private static func isPerson(_ word: Words.Word, in question: String) -> Bool {
    let scalars = question.unicodeScalars
    guard word.folded.utf8.first == 0x70, word.folded.utf8.count > 1,
      word.folded.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
      word.range.lowerBound > scalars.startIndex, word.range.upperBound < scalars.endIndex
    else { return false }
    return scalars[scalars.index(before: word.range.lowerBound)] == "["
      && scalars[word.range.upperBound] == "]"
  }
}
