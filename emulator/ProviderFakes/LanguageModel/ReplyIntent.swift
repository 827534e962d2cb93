/// The intent of a message, which selects the replies. More specific intents come first.
///
/// If several intents match, the first one is used: "Sorry, I'm running late!" has the intent
/// `lateness`.
enum ReplyIntent: String, CaseIterable, Sendable {
  case birthday, badNews, congratulation, goodLuck, lateness, apology, helpRequest, invitation
  case timeProposal, compliment, thanks, howAreYou, goodbye, openQuestion, yesNoQuestion, greeting
  /// Any other intent, for which the tables list no phrases.
  case other

  /// A Boolean value that indicates whether the intent requires a question mark.
  var isQuestion: Bool { self == .openQuestion || self == .yesNoQuestion }
}
