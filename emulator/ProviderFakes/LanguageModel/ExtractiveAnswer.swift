import Core

/// An answer that quotes messages verbatim: the output for the schema `conversation_answer`.
///
/// The answer only quotes messages and draws no conclusions. Instructions in a message or in the
/// question have no effect.
struct ExtractiveAnswer: Sendable {
  let text: String
  /// The IDs of the quoted messages, oldest first; empty if nothing was found.
  let sources: [String]

  init(
    to question: ConversationQuestion,
    from messages: [ModelInput.Message],
    in language: SpokenLanguage
  ) {
    let quoted = Self.choose(question, from: Self.candidates(of: messages))
    text = Self.sentence(quoting: quoted, in: language)
    sources = quoted.map(\.id)
  }

  /// The fields of the answer.
  var facts: JSONObject {
    [
      "answer": .string(text), "found": .boolean(!sources.isEmpty),
      "sources": .array(sources.map(JSONValue.string)),
    ]
  }

  /// A message that can be quoted: it has a unique ID, a sender and visible text.
  private struct Candidate {
    let number: Int
    let id: String
    let sender: String
    let words: Words
    let quotation: String
    var score = 0
  }

  private static func candidates(of messages: [ModelInput.Message]) -> [Candidate] {
    var candidates: [Candidate] = []
    var ids: Set<String> = []
    for message in messages {
      guard let id = message.id, let sender = message.sender, isName(sender),
        let quotation = Quotation.of(message.text), ids.insert(id).inserted
      else { continue }
      let words = Words(message.text)
      candidates.append(
        Candidate(
          number: candidates.count,
          id: id,
          sender: sender,
          words: words,
          quotation: quotation
        )
      )
    }
    return candidates
  }

  /// Returns a Boolean value that indicates whether the sender consists of ASCII letters and
  /// digits, so that the brackets around it can't contain any other text.
  private static func isName(_ sender: String) -> Bool {
    !sender.isEmpty && sender.utf8.count <= 40
      && sender.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
  }

  /// The number of messages after a proposal in which an agreement is searched for.
  private static let reach = 3

  /// Returns the messages to quote: at most two, oldest first.
  private static func choose(
    _ question: ConversationQuestion,
    from candidates: [Candidate]
  ) -> [Candidate] {
    var candidates = candidates
    for number in candidates.indices {
      candidates[number].score = question.sharedKeywords(with: candidates[number].words)
    }
    let isAsked = { (candidate: Candidate) in
      question.people.isEmpty || question.people.contains(candidate.sender.lowercased())
    }
    if question.isAboutDecision, let decision = decision(in: candidates, question, isAsked) {
      return decision
    }
    let asked = candidates.filter(isAsked)
    if question.keywords.isEmpty {
      return question.people.isEmpty ? [] : asked.suffix(1)
    }
    if let best = best(of: asked) { return best }
    // "Marco's interview" may refer to messages that name Marco instead of Marco's own messages.
    let naming = candidates.filter { candidate in
      candidate.words.words.contains { question.names.contains($0.folded) }
    }
    return best(of: naming) ?? []
  }

  /// Returns the newest two of the messages with the most keywords, or `nil` if no message has any.
  private static func best(of candidates: [Candidate]) -> [Candidate]? {
    guard let best = candidates.map(\.score).max(), best > 0 else { return nil }
    return candidates.filter { $0.score == best }.suffix(2)
  }

  /// Returns the best message on the subject, preferably a proposal, and another person's agreement
  /// to it, if there is one. Returns `nil` if no message is on the subject.
  private static func decision(
    in candidates: [Candidate],
    _ question: ConversationQuestion,
    _ isAsked: (Candidate) -> Bool
  ) -> [Candidate]? {
    let agrees = candidates.map { DecisionWords.agreeing.isFound(in: $0.words) }
    let proposes = candidates.map { DecisionWords.proposing.isFound(in: $0.words) }
    let subjects = candidates.filter {
      question.keywords.isEmpty ? proposes[$0.number] : $0.score > 0
    }
    var best: (score: Int, messages: [Candidate])?
    for subject in subjects {
      let later = candidates.dropFirst(subject.number + 1).prefix(reach)
      let agreement = later.first { agrees[$0.number] && $0.sender != subject.sender }
      let isDecisive = agrees[subject.number] || proposes[subject.number]
      let messages = [subject] + [agreement].compactMap(\.self)
      guard messages.contains(where: isAsked) else { continue }
      // Keywords weigh the most, then a proposal, then an agreement.
      let score = 4 * subject.score + (isDecisive ? 2 : 0) + (agreement == nil ? 0 : 1)
      if score >= best?.score ?? 0 { best = (score, messages) }
    }
    return best?.messages
  }

  private static func sentence(
    quoting quoted: [Candidate],
    in language: SpokenLanguage
  ) -> String {
    guard let first = quoted.first else { return abstention[language] }
    let start = one.filled(language, ["sender": first.sender, "quotation": first.quotation])
    guard let second = quoted.dropFirst().first else { return start }
    let template = second.sender == first.sender ? oneMore : another
    let end = ["sender": second.sender, "quotation": second.quotation]
    return start + template.filled(language, end)
  }

  private static let abstention = ParallelText(
    english: "I can't find anything about that in these messages.",
    spanish: "No encuentro nada sobre eso en estos mensajes.",
    italian: "Non trovo nulla al riguardo in questi messaggi.",
    french: "Je ne trouve rien à ce sujet dans ces messages.",
    portuguese: "Não encontro nada sobre isso nestas mensagens.",
    german: "Dazu finde ich in diesen Nachrichten nichts."
  )

  private static let one = ParallelText(
    english: "[{sender}] wrote: {quotation}",
    spanish: "[{sender}] escribió: {quotation}",
    italian: "[{sender}] ha scritto: {quotation}",
    french: "[{sender}] a écrit : {quotation}",
    portuguese: "[{sender}] escreveu: {quotation}",
    german: "[{sender}] hat geschrieben: {quotation}"
  )

  private static let oneMore = ParallelText(
    english: ", and also: {quotation}",
    spanish: ", y también: {quotation}",
    italian: ", e anche: {quotation}",
    french: ", et aussi : {quotation}",
    portuguese: ", e também: {quotation}",
    german: ", und außerdem: {quotation}"
  )

  private static let another = ParallelText(
    english: ", and [{sender}] wrote: {quotation}",
    spanish: ", y [{sender}] escribió: {quotation}",
    italian: ", e [{sender}] ha scritto: {quotation}",
    french: ", et [{sender}] a écrit : {quotation}",
    portuguese: ", e [{sender}] escreveu: {quotation}",
    german: ", und [{sender}] hat geschrieben: {quotation}"
  )
}
