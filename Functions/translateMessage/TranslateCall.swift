import Chat
import Core

/// A client's call, in one of three forms.
///
/// | fields | meaning |
/// |---|---|
/// | text, sourceLang?, targetLang | translate a text; nothing but the cache is written |
/// | messageId, conversationId, targetLang | translate a stored message and write it there |
/// | messageIds, conversationId, targetLang | the same for up to 50, after a change of language |
///
/// In the first form, `messageId` is a hint without an effect: without `conversationId` it names no
/// message.
struct TranslateCall: Decodable, Sendable {
  var text: String?
  var sourceLang: String?
  var targetLang: String?
  var messageId: String?
  var messageIds: [String]?
  var conversationId: String?

  static let maximumMessages = 50
  /// The maximum length of an id in bytes.
  ///
  /// Source: firebase.google.com/docs/firestore/quotas.
  private static let maximumIDBytes = 1_500

  /// The language of a text, and its code as the caller has it.
  struct Source: Equatable {
    var code: String
    var language: Language
  }

  enum Form: Equatable {
    /// A text, and the conversation it belongs to if the caller names one.
    ///
    /// The conversation's settings may forbid translation. The language of a text without source is
    /// detected.
    case text(String, source: Source?, target: TranslationTarget, conversation: String?)
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
      guard let conversationId else {
        throw StatusError(.invalidArgument, "conversationId is missing: message ids need it")
      }
      return .messages(messageIds, conversation: conversationId, target: target)
    }
    if let messageId {
      guard messageId.utf8.count <= Self.maximumIDBytes else {
        throw StatusError(
          .invalidArgument,
          "messageId is longer than \(Self.maximumIDBytes) bytes"
        )
      }
      if let conversationId {
        return .message(messageId, conversation: conversationId, target: target, text: text)
      }
      guard text != nil else {
        throw StatusError(
          .invalidArgument,
          "text is missing: a messageId without conversationId names no message"
        )
      }
    }
    guard let text else { throw StatusError(.invalidArgument, "text is missing") }
    return .text(text, source: try source(), target: target, conversation: conversationId)
  }

  /// Returns the source that the caller gives, or `nil` if the language is to be detected.
  private func source() throws(StatusError) -> Source? {
    guard let sourceLang, !Language.isNone(sourceLang) else { return nil }
    return Source(code: sourceLang, language: try Self.language(sourceLang, "sourceLang"))
  }

  private static func language(_ code: String?, _ member: String) throws(StatusError) -> Language {
    guard let code else { throw StatusError(.invalidArgument, "\(member) is missing") }
    return try Language(code, member: member)
  }
}
