import Chat
import FirestoreModel
import Providers
import RPCStatus

/// What is known about a message's analyses.
///
/// `aiAnalysis/{messageId}` is the one for the first reader's language, `…_{lang}` those for
/// further ones. That there was nothing to explain is kept apart, in
/// `functionEvents/analyzeMessage_{key}`: it saves asking again, and no client needs it.
struct AnalysisRecord {
  /// How long an analysis counts.
  static let lifetime = Duration.seconds(30 * 86_400)

  /// An analysis and the model that made it.
  struct Finding: Sendable, Hashable {
    var analysis: Analysis
    var engine: String
  }

  private let message: Message
  private let conversationID: String
  private let textHash: String
  private let first: Language?
  private let documents: [DocumentName: Document]
  private let now: Timestamp

  /// - Parameters:
  ///   - first: the language of `aiAnalysis/{messageId}`.
  ///   - documents: those of `names(of:languages:)` that exist.
  init(of message: Message, first: Language?, documents: [DocumentName: Document], now: Timestamp) {
    self.message = message
    self.first = first
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
    let id = message.id + (language.map { "_\($0.code)" } ?? "")
    return try DocumentName(
      database: message.database,
      path: ResourcePath(segments: ["aiAnalysis", id])
    )
  }

  private static func ledger(_ message: DocumentName) throws(StatusError) -> DocumentName {
    let key = ContentHash.document(message.path.description)
    return try DocumentName(
      database: message.database,
      path: ResourcePath(segments: ["functionEvents", "analyzeMessage_\(key)"])
    )
  }

  // MARK: Reading

  /// What is known for a reader's language of the text as it is now; nil if nothing is.
  func finding(for language: Language) throws(StatusError) -> Finding? {
    let name = message.document.name
    for place in [try Self.name(name, nil), try Self.name(name, language)] {
      if let document = documents[place], let finding = finding(in: document, language) {
        return finding
      }
    }
    guard let ledger = documents[try Self.ledger(name)], isCurrent(ledger),
      let engine = ledger.fields["nothingFor"]?.mapValue?[language.code]?.stringValue
    else { return nil }
    return Finding(analysis: .nothing, engine: engine)
  }

  /// Message ids are a client's: an analysis counts only if it is one of this conversation and this
  /// text.
  private func finding(in document: Document, _ language: Language) -> Finding? {
    let fields = document.fields
    guard isCurrent(document), fields["language"] == .string(language.code),
      fields["conversationId"] == .string(conversationID),
      let type = fields["type"]?.stringValue.flatMap(Analysis.Kind.init),
      let relevance = fields["relevance"]?.stringValue.flatMap(Analysis.Relevance.init),
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

  private func isCurrent(_ document: Document) -> Bool {
    guard document.fields["textHash"] == .string(textHash),
      let expiry = document.fields["expiresAt"]?.timestampValue
    else { return false }
    return expiry > now
  }

  // MARK: Writing

  /// The writes that keep what was found, each on condition that nobody has written there since.
  func writes(_ findings: [Language: Finding]) throws(StatusError) -> [Write] {
    var writes: [Write] = []
    var nothingFor: Fields = [:]
    for (language, finding) in findings.sorted(by: { $0.key.code < $1.key.code }) {
      if finding.analysis.hasCulturalContext {
        writes.append(
          write(fields(of: finding, language), to: try place(for: language))
        )
      } else {
        nothingFor[language.code] = .string(finding.engine)
      }
    }
    guard !nothingFor.isEmpty else { return writes }
    let ledger = try Self.ledger(message.document.name)
    if let document = documents[ledger], isCurrent(document) {
      let known = document.fields["nothingFor"]?.mapValue ?? [:]
      nothingFor.merge(known) { new, _ in new }
    }
    let fields: Fields = [
      "function": "analyzeMessage",
      "document": .string(message.document.name.path.description),
      "nothingFor": .map(nothingFor),
    ]
    return writes + [write(fields, to: ledger)]
  }

  /// The plain name is the first language's, unless readers have changed and it is another's now.
  ///
  /// - Throws: `ALREADY_EXISTS` if it is a message's of the same id in another conversation:
  ///   whoever may choose ids must not choose what others read.
  private func place(for language: Language) throws(StatusError) -> DocumentName {
    let name = message.document.name
    let plain = try Self.name(name, nil)
    let isTaken = documents[plain].map {
      isCurrent($0) && $0.fields["language"] != .string(language.code)
    }
    let place =
      language == first && isTaken != true ? plain : try Self.name(name, language)
    if let fields = documents[place]?.fields, let owner = fields["conversationId"]?.stringValue,
      owner != conversationID, let expiry = fields["expiresAt"]?.timestampValue, expiry > now
    {
      throw StatusError(
        .alreadyExists,
        "\(place.path) is the analysis of a message in another conversation"
      )
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
