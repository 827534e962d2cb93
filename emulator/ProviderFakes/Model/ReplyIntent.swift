/// What a message is about, as far as an answer to it needs to know; the more telling first.
///
/// A message may be several things: "Sorry, I'm running late!" is answered as lateness.
enum ReplyIntent: String, CaseIterable, Sendable {
  case birthday, badNews, congratulation, goodLuck, lateness, apology, helpRequest, invitation
  case timeProposal, compliment, thanks, howAreYou, goodbye, openQuestion, yesNoQuestion, greeting
  /// Anything else; it has no words of its own.
  case other

  /// Whether only a text with a question mark can be this.
  var isQuestion: Bool { self == .openQuestion || self == .yesNoQuestion }
}
