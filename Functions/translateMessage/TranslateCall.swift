import Chat
import Core

/// A client's call, in one of three forms.
///
/// | fields | meaning |
/// |---|---|
/// | text, sourceLang, targetLang | translate a text; nothing but the cache is written |
/// | messageId, conversationId, targetLang | translate a stored message and write it there |
/// | messageIds, conversationId, targetLang | the same for up to 50, after a change of language |
struct TranslateCall: Decodable, Sendable {
  var text: String?
  var sourceLang: String?
  var targetLang: String?
  var messageId: String?
  var messageIds: [String]?
  var conversationId: String?

  static let maximumMessages = 50

  enum Form: Equatable {
    /// A text, and the conversation it belongs to if the caller names one.
    ///
    /// The conversation's settings may forbid translation.
    case text(String, source: Language, target: TranslationTarget, conversation: String?)
    /// A stored message; `text` is its text as the caller knows it.
    case message(String, conversation: String, target: TranslationTarget, text: String?)
    case messages([String], conversation: String, target: TranslationTarget)
  }

  /// Returns the call's form.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the field that is missing or wrong.
  func form() throws(StatusError) -> Form {
    let target = TranslationTarget(
      code: targetLang ?? "",
      language: try Self.language(targetLang, "targetLang")
    )
    if let messageIds {
      guard !messageIds.isEmpty, messageIds.count <= Self.maximumMessages else {
        throw StatusError(
          .invalidArgument,
          "messageIds must have 1 to \(Self.maximumMessages) ids"
        )
      }
      return .messages(messageIds, conversation: try conversation(), target: target)
    }
    if let messageId {
      return .message(messageId, conversation: try conversation(), target: target, text: text)
    }
    guard let text else { throw StatusError(.invalidArgument, "text is missing") }
    let source = try Self.language(sourceLang, "sourceLang")
    return .text(text, source: source, target: target, conversation: conversationId)
  }

  private func conversation() throws(StatusError) -> String {
    guard let conversationId else {
      throw StatusError(.invalidArgument, "conversationId is missing: message ids need it")
    }
    return conversationId
  }

  private static func language(_ code: String?, _ member: String) throws(StatusError) -> Language {
    guard let code else { throw StatusError(.invalidArgument, "\(member) is missing") }
    return try Language(code, member: member)
  }
}
