/// A question about a conversation, parsed into keywords and people.
struct ConversationQuestion: Sendable {
  /// The words that name the subject, without stop words.
  let keywords: [Keyword]

  /// The people in the question, in lower case, such as `p2`; empty if it is about everyone.
  let people: Set<String>

  /// The names that the initializer's `mentions` list, in lower case and without accents.
  let names: Set<String>

  /// A Boolean value that indicates whether the question asks for a decision of the group.
  let isAboutDecision: Bool

  /// The maximum number of keywords; further words are ignored.
  private static let maximumKeywords = 16

  /// Parses a question.
  ///
  /// - Parameter mentions: the people that names in the question refer to. A name that is also a
  ///   stop word counts as the stop word.
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

  /// Returns the number of keywords that occur in a text.
  func sharedKeywords(with words: Words) -> Int {
    var missing = keywords
    for word in words.words where !missing.isEmpty {
      let subject = Glossary.standard.subject(of: word.folded)
      missing.removeAll { $0.fits(subject) || $0.fits(word.folded) }
    }
    return keywords.count - missing.count
  }

  /// Returns a Boolean value that indicates whether a word names a person in brackets, as in
  /// `[P2]`. Without the brackets, it is an ordinary word.
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
