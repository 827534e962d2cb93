import Chat
import Core
import FirestoreModel
import Providers

/// The stored analyses of a message.
///
/// Between two people, `aiAnalysis/{messageId}` has the analysis in the recipient's language. All
/// others are at `aiAnalysis/{messageId}_{lang}`: those for a group's readers, and those that a call
/// requests in a further language.
///
/// The ledger `functionEvents/analyzeMessage_{key}` saves requests to the model. It records that
/// there was nothing to explain, that the model declined, or how often its answer was unusable.
/// Clients don't need the ledger.
struct AnalysisRecord {
  /// The time after which an analysis expires.
  static let lifetime = Duration.seconds(30 * 86_400)
  /// The number of unusable answers after which the model isn't asked again.
  static let maximumFailures = 3
  /// The time after which unusable answers are forgotten, equal to the time for which events are
  /// redelivered.
  static let failureLifetime = Duration.seconds(86_400)

  /// An analysis and the model that made it.
  struct Finding: Sendable, Hashable {
    var analysis: Analysis
    var engine: String
  }

  /// The known result for one language, stored or just received from the model.
  enum Knowledge: Sendable, Hashable {
    case finding(Finding)
    /// The model declined.
    case declined
    /// The number of unusable answers so far.
    case failures(Int)
  }

  private let message: Message
  private let conversationID: String
  private let textHash: String
  private let recipient: Language?
  private let documents: [DocumentName: Document]
  private let now: Timestamp

  /// Creates the record of a message.
  ///
  /// - Parameters:
  ///   - recipient: the language of the analysis in `aiAnalysis/{messageId}`, or `nil` in a group.
  ///   - documents: the existing documents among `names(of:languages:)`.
  init(
    of message: Message,
    recipient: Language?,
    documents: [DocumentName: Document],
    now: Timestamp
  ) {
    self.message = message
    self.recipient = recipient
    self.documents = documents
    self.now = now
    conversationID = ChatPaths.conversation(of: message.document.name.path).id
    textHash = ContentHash.text(message.text)
  }

  // MARK: Names

  static func names(
    of message: DocumentName,
    languages: [Language]
  ) throws(StatusError) -> [DocumentName] {
    var names = [try name(message, nil), try ledger(message)]
    for language in languages { names.append(try name(message, language)) }
    return names
  }

  private static func name(
    _ message: DocumentName,
    _ language: Language?
  ) throws(StatusError) -> DocumentName {
    let id = message.id + (language.map { "_\($0.asRead.code)" } ?? "")
    return try DocumentName(
      database: message.database,
      path: ResourcePath(segments: ["aiAnalysis", id])
    )
  }

  /// Returns the name of the ledger, which records messages without an analysis.
  static func ledger(_ message: DocumentName) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: message.database,
      path: ResourcePath(segments: ["functionEvents", key(of: message)])
    )
  }

  /// Returns the key of the lease for requests to the model.
  static func leaseKey(of message: DocumentName, _ language: Language) -> String {
    "\(key(of: message))_\(language.code)"
  }

  private static func key(of message: DocumentName) -> String {
    "analyzeMessage_\(ContentHash.document(message.path.description))"
  }

  // MARK: Former texts

  /// Returns the query for the analyses of messages with this id in any conversation.
  static func query(_ message: DocumentName, limit: Int) -> StructuredQuery {
    StructuredQuery(
      from: "aiAnalysis",
      where: .field(FieldPath("messageId"), .equal, .string(message.id)),
      limit: limit,
      select: ["messageId", "conversationId", "textHash"].map { FieldPath($0) }
    )
  }

  /// Returns the analyses of texts that the message no longer has.
  ///
  /// - Parameter message: the current message, or `nil` if it was deleted.
  static func former(
    _ documents: [Document],
    of name: DocumentName,
    now message: Message?
  ) -> [Document] {
    let conversation = ChatPaths.conversation(of: name.path).id
    let textHash = message.map { Value.string(ContentHash.text($0.text)) }
    return documents.filter { document in
      document.fields["conversationId"] == .string(conversation)
        && (textHash == nil || document.fields["textHash"] != textHash)
    }
  }

  // MARK: Reading

  /// Returns the stored knowledge about the current text for a reader's language.
  ///
  /// An analysis counts at both of its possible places: a conversation between two people may have
  /// become a group since.
  func knowledge(for language: Language) throws(StatusError) -> Knowledge {
    let name = message.document.name
    for place in [try Self.name(name, nil), try Self.name(name, language)] {
      if let document = documents[place], let finding = finding(in: document, language) {
        return .finding(finding)
      }
    }
    let ledger = try ledger()
    if let engine = ledger["nothingFor"]?.mapValue?[language.code]?.shortString {
      return .finding(Finding(analysis: .nothing, engine: engine))
    }
    if ledger["declinedFor"]?.mapValue?[language.code] != nil { return .declined }
    guard let entry = ledger["failuresFor"]?.mapValue?[language.code]?.mapValue,
      let failedAt = entry["at"]?.timestampValue,
      failedAt.advanced(by: Self.failureLifetime) > now,
      let failures = entry["count"]?.integerValue
    else { return .failures(0) }
    return .failures(Int(clamping: failures))
  }

  /// Returns the ledger's fields, or none if they are about a former text.
  private func ledger() throws(StatusError) -> Fields {
    guard let document = documents[try Self.ledger(message.document.name)], isCurrent(document)
    else { return [:] }
    return document.fields
  }

  /// Returns the finding that a document contains for a language.
  ///
  /// Clients choose message ids, so two messages may share one. An analysis counts only if it
  /// belongs to this message, this conversation and this text.
  private func finding(in document: Document, _ language: Language) -> Finding? {
    let fields = document.fields
    guard isCurrent(document), isOurs(document),
      let stored = Self.language(of: document), language.isReadable(as: stored),
      let type = fields["type"]?.shortString.flatMap(Analysis.Kind.init),
      let relevance = fields["relevance"]?.shortString.flatMap(Analysis.Relevance.init),
      let explanation = fields["explanation"]?.nonEmptyString
    else { return nil }
    return Finding(
      analysis: Analysis(
        hasCulturalContext: true,
        type: type,
        idiomDetected: fields["idiomDetected"]?.nonEmptyString,
        explanation: explanation,
        relevance: relevance,
        suggestedEquivalent: fields["suggestedEquivalent"]?.nonEmptyString
      ),
      engine: fields["engine"]?.nonEmptyString ?? "unknown"
    )
  }

  private static func language(of analysis: Document) -> Language? {
    analysis.fields["language"]?.shortString.flatMap { try? Language($0) }
  }

  private func isCurrent(_ document: Document) -> Bool {
    document.fields["textHash"] == .string(textHash) && isAlive(document)
  }

  private func isAlive(_ document: Document) -> Bool {
    document.fields["expiresAt"]?.timestampValue.map { $0 > now } ?? false
  }

  private func isOurs(_ document: Document) -> Bool {
    document.fields["messageId"] == .string(message.document.name.id)
      && document.fields["conversationId"] == .string(conversationID)
  }

  // MARK: Writing

  /// Returns the writes that store the outcomes of requests.
  ///
  /// Each write has the version that was read as its precondition.
  ///
  /// - Throws: `ALREADY_EXISTS` if a document to write contains the analysis of another message.
  func writes(_ outcomes: [Language: Knowledge]) throws(StatusError) -> [Write] {
    var writes: [Write] = []
    var nothingFor: Fields = [:]
    var declinedFor: Fields = [:]
    var failuresFor: Fields = [:]
    for (language, outcome) in outcomes.sorted(by: { $0.key.code < $1.key.code }) {
      switch outcome {
      case .finding(let finding) where finding.analysis.hasCulturalContext:
        writes.append(write(fields(of: finding, language), to: try place(for: language)))
      case .finding(let finding): nothingFor[language.code] = .string(finding.engine)
      case .declined: declinedFor[language.code] = true
      case .failures(let count):
        failuresFor[language.code] = ["count": .integer(Int64(count)), "at": .timestamp(now)]
      }
    }
    guard writes.count < outcomes.count else { return writes }
    var fields = try ledger()
    for (name, entries) in [
      ("nothingFor", nothingFor), ("declinedFor", declinedFor), ("failuresFor", failuresFor),
    ] where !entries.isEmpty {
      fields[name] = .map((fields[name]?.mapValue ?? [:]).merging(entries) { _, new in new })
    }
    fields["function"] = "analyzeMessage"
    fields["document"] = .string(message.document.name.path.description)
    return writes + [write(fields, to: try Self.ledger(message.document.name))]
  }

  /// Returns the name of the document for a language's analysis.
  ///
  /// The analysis in the recipient's former language is replaced if the recipient has changed the
  /// language.
  ///
  /// - Throws: `ALREADY_EXISTS` if the document contains the analysis of another message. Clients
  ///   choose ids, and must not be able to replace the analyses of other messages.
  @discardableResult
  func place(for language: Language) throws(StatusError) -> DocumentName {
    let place = try Self.name(message.document.name, language == recipient ? nil : language)
    if let document = documents[place], isAlive(document), !isOurs(document) {
      throw StatusError(.alreadyExists, "\(place.path) is the analysis of another message")
    }
    return place
  }

  private func fields(of finding: Finding, _ language: Language) -> Fields {
    let analysis = finding.analysis
    var fields: Fields = [
      "messageId": .string(message.document.name.id),
      "conversationId": .string(conversationID),
      "language": .string(language.code),
      "hasCulturalContext": true,
      "type": .string(analysis.type.rawValue),
      "explanation": .string(analysis.explanation),
      "relevance": .string(analysis.relevance.rawValue),
      "engine": .string(finding.engine),
      "promptVersion": .integer(Int64(AnalysisPrompt.template.version)),
      "timestamp": .timestamp(now),
    ]
    fields["idiomDetected"] = analysis.idiomDetected.map(Value.string)
    fields["suggestedEquivalent"] = analysis.suggestedEquivalent.map(Value.string)
    return fields
  }

  private func write(_ fields: Fields, to name: DocumentName) -> Write {
    var fields = fields
    fields["textHash"] = .string(textHash)
    fields["expiresAt"] = .timestamp(now.advanced(by: Self.lifetime))
    return Write(
      .update(Document(name: name, fields: fields)),
      currentDocument: documents[name]?.updateTime.map(Precondition.updateTime) ?? .exists(false)
    )
  }
}
