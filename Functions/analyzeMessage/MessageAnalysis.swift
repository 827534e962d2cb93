import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// The analysis of one stored message.
struct MessageAnalysis {
  typealias Findings = [Language: Result<AnalysisRecord.Finding, StatusError>]

  let session: ChatSession
  let model: ModelSession
  private let prefilter: CulturePrefilter

  init(_ session: ChatSession, _ model: ModelSession, _ prefilter: CulturePrefilter) {
    self.session = session
    self.model = model
    self.prefilter = prefilter
  }

  /// The function's result for an event.
  struct Report: Encodable {
    struct Entry: Encodable {
      var language: String
      var type: Analysis.Kind
      var engine: String
    }

    var sourceLang: String
    var analyses: [Entry] = []
    /// The languages for which the model declined to analyze the message.
    var declined: [String] = []
    var failed: [Failure] = []

    struct Failure: Encodable {
      var language: String
      var error: FunctionReply.Failure
    }
  }

  /// The function's answer to a call.
  struct Answer: Encodable {
    var hasCulturalContext: Bool
    var type: Analysis.Kind
    var idiomDetected: String?
    var explanation: String
    var relevance: Analysis.Relevance
    var suggestedEquivalent: String?
    var language: String
    var engine: String
  }

  // MARK: An event

  /// Analyzes a new message for all its readers.
  func analyze(_ name: DocumentName) async throws -> FunctionOutcome {
    let conversationName = try session.conversationName(of: name.path)
    let documents = try await session.firestore.documents([name, conversationName])
    guard let message = documents[name].map(Message.init) else {
      return .skipped(reason: "the message no longer exists")
    }
    let conversation = try Conversation(documents[conversationName], of: message)
    if let reason = AnalysisPlan.refusal(of: message, in: conversation) {
      return .skipped(reason: reason)
    }
    // If the message has a language, the filter runs before the profiles are read. A conversation
    // may have a thousand profiles.
    if message.language != nil, let language = try? message.language(sender: nil),
      !prefilter.passes(message.text, in: language)
    {
      return .skipped(reason: CulturePrefilter.reason)
    }
    let profiles = try await profiles(in: conversation, of: message)
    let plan: AnalysisPlan
    switch AnalysisPlan.decide(message: message, conversation: conversation, profiles: profiles) {
    case .skip(let reason): return .skipped(reason: reason)
    case .analyze(let decided): plan = decided
    }
    guard !plan.languages.isEmpty else {
      return .skipped(reason: "no reader needs an explanation")
    }
    guard prefilter.passes(message.text, in: plan.source) else {
      return .skipped(reason: CulturePrefilter.reason)
    }
    let found: (findings: Findings, isNew: Bool)
    do throws(StatusError) {
      found = try await findings(
        for: plan.languages,
        message: message,
        conversation: conversation,
        profiles: profiles,
        plan: plan
      )
    } catch {
      guard error.code == .notFound else { throw error }
      return .skipped(reason: error.message)
    }
    return try outcome(plan, found.findings, isNew: found.isNew)
  }

  /// Returns the result once the findings are written.
  ///
  /// A model that declines is not a failure.
  ///
  /// - Throws: a transient failure, so that the event is retried; a permanent one only if there is
  ///   no finding.
  private func outcome(
    _ plan: AnalysisPlan,
    _ findings: Findings,
    isNew: Bool
  ) throws(StatusError) -> FunctionOutcome {
    var report = Report(sourceLang: plan.source.code)
    var failures: [StatusError] = []
    for language in plan.languages {
      switch findings[language] {
      case .success(let finding):
        report.analyses.append(
          .init(language: language.code, type: finding.analysis.type, engine: finding.engine)
        )
      case .failure(.modelDeclined): report.declined.append(language.code)
      case .failure(let error):
        failures.append(error)
        report.failed.append(.init(language: language.code, error: .init(error)))
      case nil: break
      }
    }
    if let error = failures.first(where: { ExitCode($0) != .badEvent }) { throw error }
    if let error = failures.first, report.analyses.isEmpty { throw error }
    guard !report.analyses.isEmpty else {
      return .skipped(reason: "the language model declined to answer", result: report)
    }
    guard isNew else {
      return .skipped(
        reason: failures.isEmpty
          ? "the message has all analyses already" : "the remaining analyses failed permanently",
        result: report
      )
    }
    session.context.logger.info(
      "analyzed",
      metadata: ["languages": "\(report.analyses.count)"]
    )
    return .done(report)
  }

  // MARK: A call

  /// Analyzes a message for a caller who can read it.
  func answer(_ call: AnalyzeCall, caller: Caller?) async throws -> FunctionOutcome {
    let ids = try call.ids()
    let languages = try call.languages()
    guard let caller else { throw StatusError.notSignedIn }
    let user = try session.userName(caller.uid)
    let found = try await session.conversation(
      ids.conversation,
      messages: [ids.message],
      alsoReading: [user]
    )
    let (message, conversation) = try found.message(ids.message, for: caller)
    guard found.documents[user].map(UserProfile.init)?.hasOptedOut != true else {
      throw StatusError(.failedPrecondition, "the caller has opted out of AI")
    }
    if let text = call.text, !text.hasSameBytes(as: message.text) {
      throw StatusError(.failedPrecondition, "text differs from the message's text")
    }

    let profiles = try await profiles(in: conversation, of: message)
    let plan: AnalysisPlan
    switch AnalysisPlan.decide(
      message: message,
      conversation: conversation,
      profiles: profiles,
      claim: languages.source
    ) {
    case .skip(let reason): throw StatusError(.failedPrecondition, reason)
    case .analyze(let decided): plan = decided
    }
    let own =
      try languages.target
      ?? conversation.language(ofCaller: caller.uid, profile: profiles[caller.uid])
    guard !own.isReadable(as: plan.source) else {
      throw StatusError(.failedPrecondition, "the message is in the reader's language")
    }
    let language = plan.language(for: own)
    let (findings, _) = try await findings(
      for: [language],
      message: message,
      conversation: conversation,
      profiles: profiles,
      plan: plan
    )
    guard let finding = try findings[language]?.get() else {
      throw StatusError(.internal, "the analysis has no result for \(language.code)")
    }
    return .done(Answer(finding, language: language))
  }

  private func profiles(
    in conversation: Conversation,
    of message: Message
  ) async throws(StatusError) -> [String: UserProfile] {
    try await session.profiles(
      of: conversation.participants + [message.senderID].compactMap(\.self)
    )
  }
}

extension MessageAnalysis.Answer {
  fileprivate init(_ finding: AnalysisRecord.Finding, language: Language) {
    let analysis = finding.analysis
    self.init(
      hasCulturalContext: analysis.hasCulturalContext,
      type: analysis.type,
      idiomDetected: analysis.idiomDetected,
      explanation: analysis.explanation,
      relevance: analysis.relevance,
      suggestedEquivalent: analysis.suggestedEquivalent,
      language: language.code,
      engine: finding.engine
    )
  }
}
