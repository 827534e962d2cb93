import Chat
import Core
import FirestoreModel
import LanguageDetection

/// The messages that a question is answered from: the newest, and older ones relevant to the
/// question.
///
/// The selection is a pure function of the documents that were read.
struct RelevantMessages {
  /// The number of messages that are searched.
  static let searchedLength = 300
  /// The number of newest messages that the model gets if they fit.
  private static let newestLength = 30
  /// The maximum number of older messages that the model gets.
  private static let relevantLength = 20
  /// The maximum number of tokens of all messages.
  private static let maximumTokens = ConversationWindow.maximumTokens * 9 / 10
  /// The number of tokens that the newest messages may use before relevant older ones are added.
  private static let newestTokens = maximumTokens * 6 / 10
  /// The estimated number of tokens of a message's sender, time and language.
  private static let overhead = 40

  /// The selected messages, in no particular order.
  private(set) var messages: [Message] = []
  private var tokens = 0

  /// Selects the messages.
  ///
  /// - Parameters:
  ///   - messages: all messages that were read, in any order.
  ///   - questions: earlier questions, and then the question to be answered, which may refer to
  ///     them.
  ///   - cited: the ids of messages that earlier answers are based on. A follow-up question such as
  ///     "and when?" is about them.
  ///   - language: the asker's language. Translations into it are searched, too.
  init(
    of messages: [Message],
    for questions: [String],
    cited: Set<String> = [],
    language: Language
  ) {
    let newestFirst = messages.filter(\.hasText).sorted { $0.position > $1.position }
    let newest = newestFirst.prefix(Self.newestLength)
    var next = newest.startIndex
    while next < newest.endIndex, add(newest[next], upTo: Self.newestTokens) { next += 1 }
    let older = Array(newestFirst[next...])
    let scores = Self.scores(of: older, for: questions, language)
    var ranking = older.indices.filter {
      scores[$0] > 0 || cited.contains(older[$0].document.name.id)
    }
    ranking.sort {
      let (one, other) = (older[$0], older[$1])
      let isCited = cited.contains(one.document.name.id)
      guard isCited == cited.contains(other.document.name.id) else { return isCited }
      return scores[$0] == scores[$1] ? $0 < $1 : scores[$0] > scores[$1]
    }
    var chosen: Set<Int> = []
    for index in ranking {
      // The next message is often the reply.
      for neighbor in [index, index - 1] where neighbor >= 0 && !chosen.contains(neighbor) {
        guard chosen.count < Self.relevantLength,
          add(older[neighbor], upTo: Self.maximumTokens)
        else { continue }
        chosen.insert(neighbor)
      }
    }
    let rest = newest.count - next
    for index in 0..<max(rest, 0) where !chosen.contains(index) {
      guard add(older[index], upTo: Self.maximumTokens) else { break }
    }
  }

  private mutating func add(_ message: Message, upTo limit: Int) -> Bool {
    let text = PromptText.visible(message.text, maximum: ConversationWindow.maximumLength)
    let cost = PromptText.tokens(text) + Self.overhead
    guard tokens + cost <= limit else { return false }
    tokens += cost
    messages.append(message)
    return true
  }

  // MARK: Scores

  /// The usual value of BM25's parameter k1.
  private static let saturation = 1.2
  /// The usual value of BM25's parameter b.
  private static let lengthWeight = 0.75
  /// The weight of an earlier question's words; those of the current question have weight 1.
  private static let earlierWeight = 0.4

  /// Returns the BM25 score of each message for the questions.
  private static func scores(
    of messages: [Message],
    for questions: [String],
    _ language: Language
  ) -> [Double] {
    let weights = weights(of: questions)
    guard !weights.isEmpty, !messages.isEmpty else {
      return Array(repeating: 0, count: messages.count)
    }
    let documents = messages.map { message in
      // The translation is only searched and never shown, so any engine's translation is
      // acceptable.
      let translation = message.translation(into: language, mayBeOffline: true)?.text ?? ""
      return SearchTerms.terms(of: message.text) + SearchTerms.terms(of: translation)
    }
    let average = Double(documents.reduce(0) { $0 + $1.count }) / Double(documents.count)
    var frequencies: [String: Int] = [:]
    for document in documents {
      for term in Set(document) where weights[term] != nil { frequencies[term, default: 0] += 1 }
    }
    return documents.map { document in
      var counts: [String: Int] = [:]
      for term in document where weights[term] != nil { counts[term, default: 0] += 1 }
      let length = 1 - lengthWeight + lengthWeight * Double(document.count) / max(average, 1)
      return counts.reduce(0) { score, entry in
        let found = Double(frequencies[entry.key] ?? 0)
        let rarity = log(1 + (Double(documents.count) - found + 0.5) / (found + 0.5))
        let count = Double(entry.value)
        let part = count * (saturation + 1) / (count + saturation * length)
        return score + (weights[entry.key] ?? 0) * rarity * part
      }
    }
  }

  /// Returns the weights of the terms in the questions.
  ///
  /// Common words are left out. If there is one question and all its words are common, they count.
  private static func weights(of questions: [String]) -> [String: Double] {
    var weights: [String: Double] = [:]
    for (index, question) in questions.enumerated() {
      let isLast = index == questions.count - 1
      let words = FoldedWords.words(of: question)
      let telling = words.filter { !LanguageDetector.isCommonWord($0) }
      for word in telling.isEmpty && questions.count == 1 ? words : telling {
        for term in SearchTerms.terms(of: word) {
          weights[term] = max(weights[term] ?? 0, isLast ? 1 : earlierWeight)
        }
      }
    }
    return weights
  }
}
