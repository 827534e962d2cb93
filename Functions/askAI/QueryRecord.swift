import Chat
import Core
import FirestoreModel
import Providers

/// A question and its answer, `aiChats/{uid}/queries/{queryId}`: for its owner alone.
///
/// It is written before the model is asked, and stays if that fails: `status` is `pending` until
/// `pendingUntil` at most, then `answered` or `failed`, with `error` saying why. Whoever asks again
/// with the same id has the question answered then.
struct QueryRecord {
  static let lifetime = Duration.seconds(30 * 86_400)
  /// How long a question is left to the invocation that answers it: the function's own time-out.
  static let claimDuration = Duration.seconds(60)

  /// What was answered.
  struct Answer: Sendable, Hashable {
    var text: String
    /// Ids of the messages it rests on.
    var contextIDs: [String]
    var engine: String
    /// As the model wrote it, with aliases, and whom they stood for: what the next question may
    /// refer to.
    var modelText: String?
    var people: [String: String] = [:]
  }

  /// What is to be done about a question.
  enum State: Sendable, Hashable {
    case answered(Answer, to: String)
    /// Another invocation is at it.
    case pending
    /// Nobody is at it.
    case open(question: String)
  }

  let name: DocumentName
  /// The document that this and the caller's other questions are below.
  let owner: DocumentName
  private let call: AskCall

  /// The id follows from the event's unless the client gives it: however often an event is
  /// delivered, it is one question.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the client's id can't be a document's.
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

  /// - Parameters:
  ///   - document: as it is at `now`, by Firestore's clock.
  /// - Throws: `INVALID_ARGUMENT` if the client's id is that of another question; `NOT_FOUND` if it
  ///   is none's and the call has no question.
  func state(of document: Document?, at now: Timestamp) throws(StatusError) -> State {
    guard let document, let asked = document.fields["userQuery"]?.nonEmptyString else {
      guard let query = call.query else {
        throw StatusError(.notFound, "there is no question with this queryId")
      }
      return .open(question: query)
    }
    let isThis =
      document.fields["conversationId"] == .string(call.conversationId)
      && (call.query ?? asked).hasSameBytes(as: asked)
    guard isThis else {
      guard call.queryId == nil, let query = call.query else {
        throw StatusError(.invalidArgument, "queryId is that of another question")
      }
      return .open(question: query)
    }
    if let answer = answer(in: document.fields) { return .answered(answer, to: asked) }
    return isPending(document, at: now) ? .pending : .open(question: asked)
  }

  /// A time that is further away than any claim is nobody's.
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

  /// What an answer rests on; nil if nobody can tell.
  static func contextIDs(in fields: Fields) -> [String]? {
    guard let values = fields["contextIds"]?.arrayValue else { return nil }
    let ids = values.compactMap(\.documentID)
    return ids.count == values.count ? ids : nil
  }

  // MARK: Writing

  /// Keeps the question and takes it on.
  ///
  /// - Parameter document: as it was read; nil if it isn't known to be there.
  func claim(_ question: String, over document: Document?, now: Timestamp) -> Write {
    var fields = fields(question, now)
    fields["status"] = "pending"
    fields["pendingUntil"] = .timestamp(now.advanced(by: Self.claimDuration))
    return write(fields, ifLastWritten: document?.updateTime)
  }

  /// - Parameter time: of the claim's write. Whoever lost it writes nothing.
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

  /// Says why there is no answer yet, to whoever asked: in detail if that is theirs to mend, or their
  /// own limit.
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
      "message": .string(error.isForCaller ? error.message : "AI temporarily unavailable"),
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
