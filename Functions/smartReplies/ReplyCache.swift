import Chat
import Core
import FirestoreModel
import Providers

/// The cache of a member's last suggestions, `smartReplies/{conversationId}_{uid}`.
///
/// An entry is valid for one prompt: until the next message, an edit, or a change of language.
struct ReplyCache {
  static let lifetime = Duration.seconds(86_400)

  /// Suggestions, and the model that made them.
  struct Entry: Sendable, Hashable {
    var suggestions: Suggestions
    var engine: String
  }

  let name: DocumentName
  private let conversationID: String
  private let uid: String

  init(
    database: DatabaseName,
    conversationID: String,
    uid: String
  ) throws(StatusError) {
    name = try DocumentName(
      database: database,
      path: ResourcePath(segments: ["smartReplies", "\(conversationID)_\(uid)"])
    )
    self.conversationID = conversationID
    self.uid = uid
  }

  /// The key of the lease for requests to the model.
  var leaseKey: String { "smartReplies_\(ContentHash.document(name.path.description))" }

  /// Returns the document's entry, or `nil` if the document is invalid, has expired, or belongs to
  /// another prompt or member.
  ///
  /// Ids may contain an underscore, so two pairs of ids can share a document name. The document's
  /// fields show which pair it belongs to.
  func entry(in document: Document?, for prompt: Prompt, now: Timestamp) -> Entry? {
    guard let fields = document?.fields,
      fields["conversationId"] == .string(conversationID), fields["uid"] == .string(uid),
      fields["promptHash"] == .string(ContentHash.prompt(prompt)),
      let expiry = fields["expiresAt"]?.timestampValue, expiry > now,
      let values = fields["suggestions"]?.arrayValue, values.count == 3
    else { return nil }
    let suggestions = values.compactMap { value -> Suggestions.Suggestion? in
      guard let text = value.mapValue?["text"]?.nonEmptyString,
        let translation = value.mapValue?["translation"]?.nonEmptyString
      else { return nil }
      return .init(text: text, translation: translation)
    }
    guard suggestions.count == 3 else { return nil }
    return Entry(
      suggestions: Suggestions(suggestions: suggestions),
      engine: fields["engine"]?.nonEmptyString ?? "unknown"
    )
  }

  func write(_ entry: Entry, for prompt: Prompt, lastMessageID: String?, now: Timestamp) -> Write {
    var fields: Fields = [
      "conversationId": .string(conversationID),
      "uid": .string(uid),
      "promptHash": .string(ContentHash.prompt(prompt)),
      "promptVersion": .integer(Int64(prompt.template.version)),
      "suggestions": .array(
        entry.suggestions.suggestions.map {
          .map(["text": .string($0.text), "translation": .string($0.translation)])
        }
      ),
      "engine": .string(entry.engine),
      "createdAt": .timestamp(now),
      "expiresAt": .timestamp(now.advanced(by: Self.lifetime)),
    ]
    fields["lastMessageId"] = lastMessageID.map(Value.string)
    return Write(.update(Document(name: name, fields: fields)))
  }
}
