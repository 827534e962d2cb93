import Chat
import Core

/// The languages, style and intent for a member's replies.
///
/// The plan is a pure function of the documents that were read.
struct ReplyPlan: Equatable {

  /// The member's own language.
  var language: Language
  /// The language of the person they reply to.
  var otherLanguage: Language
  var style: ReplyStyle
  /// The intent of the newest message by another member.
  var intent: MessageIntent

  /// Creates the plan for a member.
  ///
  /// - Throws: `FAILED_PRECONDITION` if there is nothing to reply to, or the member's language
  ///   isn't known.
  init(_ view: MemberView) throws(StatusError) {
    let texts = view.messages.filter { $0.hasText && $0.senderID != nil }
    guard !texts.isEmpty else {
      throw StatusError(.failedPrecondition, "there is no message to reply to")
    }
    language = try view.language()
    let last = texts.filter { $0.senderID != view.uid }.max { $0.position < $1.position }
    let otherLanguage = Self.otherLanguage(view, last) ?? language
    self.otherLanguage = otherLanguage
    intent = last.map { Self.intent(of: $0, view, otherLanguage) } ?? .other
    style = ReplyStyle(of: texts.filter { $0.senderID == view.uid }.map(\.text), in: language)
  }

  /// Returns the language of the last message's sender.
  ///
  /// If that language is unknown, the result is the language of the first member whose language
  /// differs from the replier's.
  private static func otherLanguage(_ view: MemberView, _ last: Message?) -> Language? {
    func language(of uid: String) -> Language? {
      view.conversation.language(of: uid, profile: view.profiles[uid]).flatMap {
        try? Language($0)
      }
    }
    if let last, let sender = last.senderID {
      if let language = language(of: sender) { return language }
      if let language = last.language.flatMap({ try? Language($0) }) { return language }
    }
    let others = view.conversation.participants.filter { $0 != view.uid }
    return others.lazy.compactMap(language).first { $0 != (try? view.language()) }
  }

  private static func intent(
    of message: Message,
    _ view: MemberView,
    _ otherLanguage: Language
  ) -> MessageIntent {
    let sender = message.senderID.flatMap { view.profiles[$0] }
    let language = (try? message.language(sender: sender)) ?? otherLanguage
    return MessageIntent(of: message.text, in: language)
  }
}
