import Chat
import Core

/// The languages for which a message is analyzed.
///
/// The plan is a pure function of the documents that were read.
struct AnalysisPlan: Equatable {
  /// The decision on a message.
  enum Decision: Equatable {
    case skip(reason: String)
    case analyze(AnalysisPlan)
  }

  /// The maximum length of an analyzed message in Unicode scalars.
  ///
  /// Longer texts are skipped: the analysis is meant for chat messages, not for essays.
  static let maximumLength = 2_000

  var source: Language
  /// The recipient's language in a conversation between two people, or `nil` in a group.
  ///
  /// The analysis in this language is stored at `aiAnalysis/{messageId}`, all others at
  /// `aiAnalysis/{messageId}_{lang}`.
  var recipient: Language?
  /// The languages of the analyses to make, in the order of the participants.
  var languages: [Language] = []

  /// Returns the language of the analysis that a reader of the given language gets.
  ///
  /// In a group, readers of variants such as `pt` and `pt-BR` share the analysis in `pt`. So a
  /// client finds its analysis without knowing the other readers.
  func language(for reader: Language) -> Language {
    if let recipient, reader.isReadable(as: recipient) { return recipient }
    return reader.asRead
  }

  /// Returns the reason why a message isn't analyzed for any reader, or `nil` if it is.
  static func refusal(of message: Message, in conversation: Conversation) -> String? {
    if !message.hasText { return "the message has no text" }
    if message.text.unicodeScalars.count > maximumLength {
      return "the text is longer than \(maximumLength) characters"
    }
    return conversation.allowsAI ? nil : "AI is off in this conversation"
  }

  /// Returns the decision on a message.
  ///
  /// - Parameters:
  ///   - profiles: the profiles of all participants, including the sender.
  ///   - claim: the source language that the caller names, used if neither the message nor the
  ///     sender's profile has one.
  static func decide(
    message: Message,
    conversation: Conversation,
    profiles: [String: UserProfile],
    claim: Language? = nil
  ) -> Decision {
    if let reason = refusal(of: message, in: conversation) { return .skip(reason: reason) }
    let sender = message.senderID.flatMap { profiles[$0] }
    guard sender?.hasOptedOut != true else {
      return .skip(reason: "the sender has opted out of AI")
    }
    let source: Language?
    do throws(StatusError) {
      source = try message.language(sender: sender) ?? claim
    } catch {
      return .skip(reason: "the message's language is not a known language code")
    }
    guard let source else { return .skip(reason: "the message's language is unknown") }
    var audience = conversation
    audience.participants.removeAll { !conversation.shows(message, to: $0) }
    let readers = Readers(of: message, in: audience, profiles: profiles, source: source)
    let recipient = conversation.recipient(of: message).flatMap {
      conversation.language(of: $0, profile: profiles[$0])
    }
    var plan = AnalysisPlan(source: source, recipient: recipient.flatMap { try? Language($0) })
    for language in readers.languages {
      let shared = plan.language(for: language)
      if !plan.languages.contains(shared) { plan.languages.append(shared) }
    }
    return .analyze(plan)
  }
}
