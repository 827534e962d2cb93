import Chat
import Core

/// What a client sends about a message it shows.
struct AnalyzeCall: Decodable, Sendable {
  var messageId: String?
  var conversationId: String?
  /// What the client believes the message says.
  var text: String?
  /// Used where neither the message nor its sender's profile has a language.
  var sourceLang: String?
  /// The reader's language; that of the caller in this conversation if it is absent.
  var targetLang: String?

  /// - Throws: `INVALID_ARGUMENT`, naming the member that is missing.
  func ids() throws(StatusError) -> (message: String, conversation: String) {
    guard let messageId else { throw StatusError(.invalidArgument, "messageId is missing") }
    guard let conversationId else {
      throw StatusError(.invalidArgument, "conversationId is missing")
    }
    return (messageId, conversationId)
  }

  /// - Throws: `INVALID_ARGUMENT`, naming the member that is no language.
  func languages() throws(StatusError) -> (source: Language?, target: Language?) {
    func language(_ code: String?, _ member: String) throws(StatusError) -> Language? {
      guard let code else { return nil }
      return try Language(code, member: member)
    }
    return (try language(sourceLang, "sourceLang"), try language(targetLang, "targetLang"))
  }
}
