import Chat
import Core
import FirestoreModel
import Providers

/// A question and its answer, `aiChats/{uid}/queries/{queryId}`, visible to its owner only.
///
/// The document is written before the model is asked, and stays if the request fails. Its `status`
/// is `pending` until `pendingUntil` at most, then `answered` or `failed`. After a failure, `error`
/// has the reason. Another call with the same id asks the question again.
struct QueryRecord {
  static let lifetime = Duration.seconds(30 * 86_400)
  /// The time for which an invocation's claim on a question lasts, equal to the function's timeout.
  static let claimDuration = Duration.seconds(60)

  /// The answer to a question.
  struct Answer: Sendable, Hashable {
    var text: String
    /// The ids of the messages that the answer is based on.
    var contextIDs: [String]
    var engine: String
    /// The answer as the model wrote it, with aliases; the next question may refer to it.
    var modelText: String?
    /// The user ids by the aliases in `modelText`.
    var people: [String: String] = [:]
  }

  /// The state of a question.
  enum State: Sendable, Hashable {
    case answered(Answer, to: String)
    /// Another invocation is answering the question.
    case pending
    /// No invocation is answering the question.
    case open(question: String)
  }

  let name: DocumentName
  /// The parent document of all the caller's questions.
  let owner: DocumentName
  private let call: AskCall

  /// Creates the record of a call's question.
  ///
  /// If the client gives no id, the id is derived from the event's id. So an event that is
  /// delivered again asks the same question.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the client's id is not a valid document id.
  init(_ call: AskCall, uid: String, eventID: String, database: DatabaseName) throws(StatusError) {
    self.call = call
    let id = call.queryId ?? String(ContentHash.text(eventID).prefix(20))
    owner = try DocumentName(
      database: database,
      path: ResourcePath(segments: ["aiChats", uid])
    )
    name = try DocumentName(
      database: database,
      path: ResourcePath(segments: ["aiChats", uid, "queries", id])
    )
  }

  // MARK: Reading

  /// Returns the state of the question.
  ///
  /// - Parameters:
  ///   - document: the question's document, read at `now` by Firestore's clock.
  /// - Throws: `INVALID_ARGUMENT` if the client's id belongs to another question; `NOT_FOUND` if
  ///   the id is unknown and the call has no question.
  func state(of document: Document?, at now: Timestamp) throws(StatusError) -> State {
    guard let document, let asked = document.fields["userQuery"]?.nonEmptyString else {
      guard let query = call.question else {
        throw StatusError(.notFound, "no question has this queryId: send query to ask a new one")
      }
      return .open(question: query)
    }
    let isThis =
      document.fields["conversationId"] == .string(call.conversationId)
      && (call.question ?? asked).hasSameBytes(as: asked)
    guard isThis else {
      guard call.queryId == nil, let query = call.question else {
        throw StatusError(.invalidArgument, "queryId belongs to another question")
      }
      return .open(question: query)
    }
    if let answer = answer(in: document.fields) { return .answered(answer, to: asked) }
    return isPending(document, at: now) ? .pending : .open(question: asked)
  }

  /// Returns whether an invocation has a claim on the question.
  ///
  /// A claim is ignored if its end is further in the future than this function ever sets it.
  private func isPending(_ document: Document, at now: Timestamp) -> Bool {
    guard document.fields["status"] == "pending",
      let end = document.fields["pendingUntil"]?.timestampValue
    else { return false }
    return end > now && end <= now.advanced(by: Self.claimDuration * 2)
  }

  private func answer(in fields: Fields) -> Answer? {
    guard fields["status"] == "answered", let text = fields["aiResponse"]?.nonEmptyString,
      let contextIDs = Self.contextIDs(in: fields)
    else { return nil }
    return Answer(
      text: text,
      contextIDs: contextIDs,
      engine: fields["engine"]?.nonEmptyString ?? "unknown"
    )
  }

  /// Returns the ids of the messages that an answer is based on, or `nil` if they are missing or
  /// invalid.
  static func contextIDs(in fields: Fields) -> [String]? {
    guard let values = fields["contextIds"]?.arrayValue else { return nil }
    let ids = values.compactMap(\.documentID)
    return ids.count == values.count ? ids : nil
  }

  // MARK: Writing

  /// Returns the write that stores the question and claims it.
  ///
  /// - Parameter document: the document as it was read, or `nil` if it isn't known to exist.
  func claim(_ question: String, over document: Document?, now: Timestamp) -> Write {
    var fields = fields(question, now)
    fields["status"] = "pending"
    fields["pendingUntil"] = .timestamp(now.advanced(by: Self.claimDuration))
    return write(fields, ifLastWritten: document?.updateTime)
  }

  /// Returns the write that stores the answer.
  ///
  /// - Parameter time: the update time of the claim's write. The write fails if the document has
  ///   changed since then.
  func write(
    _ answer: Answer,
    to question: String,
    ifLastWritten time: Timestamp?,
    now: Timestamp
  ) -> Write {
    var fields = fields(question, now)
    fields["status"] = "answered"
    fields["aiResponse"] = .string(answer.text)
    fields["contextIds"] = .array(answer.contextIDs.map(Value.string))
    fields["engine"] = .string(answer.engine)
    fields["modelAnswer"] = answer.modelText.map(Value.string)
    fields["people"] = .map(Fields(answer.people.mapValues(Value.string)))
    fields["promptVersion"] = .integer(Int64(AnswerPrompt.template.version))
    return write(fields, ifLastWritten: time)
  }

  /// Returns the write that stores the reason why there is no answer yet.
  ///
  /// The stored error message has details only if the caller can fix the problem or has reached a
  /// limit.
  func write(
    _ error: StatusError,
    to question: String,
    ifLastWritten time: Timestamp?,
    now: Timestamp
  ) -> Write {
    var fields = fields(question, now)
    let isOurs = error.fault != .request
    fields["status"] = "failed"
    fields["error"] = [
      "code": .string(isOurs ? StatusCode.unavailable.rawValue : error.code.rawValue),
      "message": .string(error.isForCaller ? error.message : StatusError.outageMessage),
      "retryable": .boolean(isOurs || error.code.isRetryable),
    ]
    return write(fields, ifLastWritten: time)
  }

  private func fields(_ question: String, _ now: Timestamp) -> Fields {
    [
      "conversationId": .string(call.conversationId),
      "userQuery": .string(question),
      "timestamp": .timestamp(now),
      "expiresAt": .timestamp(now.advanced(by: Self.lifetime)),
    ]
  }

  private func write(_ fields: Fields, ifLastWritten time: Timestamp?) -> Write {
    Write(
      .update(Document(name: name, fields: fields)),
      currentDocument: time.map(Precondition.updateTime) ?? .exists(false)
    )
  }
}
