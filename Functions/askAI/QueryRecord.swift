import Chat
import FirestoreModel
import Providers
import RPCStatus

/// A question and its answer, `aiChats/{uid}/queries/{queryId}`: for its owner alone.
struct QueryRecord {
  static let lifetime = Duration.seconds(30 * 86_400)

  /// What was answered.
  struct Answer: Sendable, Hashable {
    var text: String
    /// Ids of the messages it rests on.
    var contextIDs: [String]
    var engine: String
  }

  let name: DocumentName
  private let call: AskCall

  /// The id follows from the event's: however often an event is delivered, it is one question.
  init(_ call: AskCall, uid: String, eventID: String, database: DatabaseName) throws(StatusError) {
    self.call = call
    let id = String(ContentHash.text(eventID).prefix(20))
    name = try DocumentName(
      database: database,
      path: ResourcePath(segments: ["aiChats", uid, "queries", id])
    )
  }

  /// What the document holds, if this very question was answered.
  func answer(in document: Document?) -> Answer? {
    guard let fields = document?.fields, fields["status"] == "answered",
      fields["conversationId"] == .string(call.conversationId),
      fields["userQuery"] == .string(call.query), let text = fields["aiResponse"]?.nonEmptyString
    else { return nil }
    return Answer(
      text: text,
      contextIDs: (fields["contextIds"]?.arrayValue ?? []).compactMap(\.stringValue),
      engine: fields["engine"]?.nonEmptyString ?? "unknown"
    )
  }

  func write(_ answer: Answer, now: Timestamp) -> Write {
    let fields: Fields = [
      "conversationId": .string(call.conversationId),
      "userQuery": .string(call.query),
      "aiResponse": .string(answer.text),
      "contextIds": .array(answer.contextIDs.map(Value.string)),
      "status": "answered",
      "engine": .string(answer.engine),
      "promptVersion": .integer(Int64(AnswerPrompt.template.version)),
      "timestamp": .timestamp(now),
      "expiresAt": .timestamp(now.advanced(by: Self.lifetime)),
    ]
    return Write(.update(Document(name: name, fields: fields)))
  }
}
