import Chat
import Core

/// For whom a message is analysed: a decision over what was read, without effects.
struct AnalysisPlan: Equatable {
  /// What to do about a message.
  enum Decision: Equatable {
    case skip(reason: String)
    case analyze(AnalysisPlan)
  }

  /// Longer messages are left alone, in Unicode scalars: a model is asked about remarks, not about
  /// essays.
  static let maximumLength = 2_000

  var source: Language
  /// The readers' languages that are not the message's, in the order of the participants. Variants
  /// of one, such as `pt` and `pt-BR`, share the first of them. The first one's analysis is at
  /// `aiAnalysis/{messageId}`.
  var languages: [Language]

  /// The language of the analysis that a reader of this one gets.
  func language(for reader: Language) -> Language {
    languages.first { reader.isReadable(as: $0) } ?? reader
  }

  /// Why a message is left alone, whoever its readers are; nil if it isn't.
  static func refusal(of message: Message, in conversation: Conversation) -> String? {
    if !message.hasText { return "the message has no text" }
    if message.text.unicodeScalars.count > maximumLength {
      return "the text is longer than \(maximumLength) characters"
    }
    return conversation.allowsAI ? nil : "AI is off in this conversation"
  }

  /// - Parameters:
  ///   - profiles: of all participants, the sender among them.
  ///   - claim: the source language where nothing else tells it.
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
    let readers = Readers(of: message, in: audience, profiles: profiles)
    var plan = AnalysisPlan(source: source, languages: [])
    for language in readers.languages
    where !language.isReadable(as: source) && !plan.languages.contains(plan.language(for: language))
    {
      plan.languages.append(language)
    }
    return .analyze(plan)
  }
}
