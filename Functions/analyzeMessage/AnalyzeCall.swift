import Chat
import Core

/// A client's call for the analysis of a message.
struct AnalyzeCall: Decodable, Sendable {
  var messageId: String?
  var conversationId: String?
  /// The message's text as the client knows it.
  var text: String?
  /// The message's language, used if neither the message nor its sender's profile has one.
  var sourceLang: String?
  /// The reader's language; by default the caller's language in this conversation.
  var targetLang: String?

  /// Returns the ids of the message and the conversation.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the field that is missing.
  func ids() throws(StatusError) -> (message: String, conversation: String) {
    guard let messageId else { throw StatusError(.invalidArgument, "messageId is missing") }
    guard let conversationId else {
      throw StatusError(.invalidArgument, "conversationId is missing")
    }
    return (messageId, conversationId)
  }

  /// Returns the languages that the call names.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the field that is not a language code.
  func languages() throws(StatusError) -> (source: Language?, target: Language?) {
    func language(_ code: String?, _ member: String) throws(StatusError) -> Language? {
      guard let code else { return nil }
      return try Language(code, member: member)
    }
    return (try language(sourceLang, "sourceLang"), try language(targetLang, "targetLang"))
  }
}
