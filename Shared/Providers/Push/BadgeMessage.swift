/// A push that nobody hears or sees: it sets the number on the app's icon, and lets the app take
/// away what it shows of messages that are read.
///
/// It has no alert and no sound. Of several the last one counts: for a phone that is off FCM keeps
/// one.
package struct BadgeMessage: Sendable, Hashable {
  package var token: String
  /// The number on the app's icon; 0 takes it away.
  package var badge: Int
  /// The conversation that was read, or lost a message.
  package var conversationID: String
  /// Under which name Firebase's reports count it.
  package var analyticsLabel: String?

  package init(token: String, badge: Int, conversationID: String) {
    self.token = token
    self.badge = badge
    self.conversationID = conversationID
  }
}

extension BadgeMessage: Encodable {
  private static let collapseID = "badge"

  private struct Android: Encodable {
    var priority = "normal"
    var collapseKey = BadgeMessage.collapseID

    private enum CodingKeys: String, CodingKey {
      case priority
      case collapseKey = "collapse_key"
    }
  }

  private struct APNS: Encodable {
    struct Payload: Encodable { var aps: APS }
    struct APS: Encodable {
      var badge: Int
      var contentAvailable = 1

      private enum CodingKeys: String, CodingKey {
        case badge
        case contentAvailable = "content-available"
      }
    }
    /// To Apple a badge is something the user sees: as a `background` push it would be held back
    /// after a few in an hour. A priority of 10 isn't for what nobody waits for.
    let headers = [
      "apns-priority": "5", "apns-push-type": "alert", "apns-collapse-id": BadgeMessage.collapseID,
    ]
    var payload: Payload
  }

  private enum Member: String, CodingKey {
    case token, data, android, apns
    case options = "fcm_options"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(token, forKey: .token)
    try container.encode(
      ["type": "badge", "badge": "\(badge)", "conversationId": conversationID],
      forKey: .data
    )
    try container.encode(Android(), forKey: .android)
    try container.encode(APNS(payload: .init(aps: .init(badge: badge))), forKey: .apns)
    try container.encodeIfPresent(
      analyticsLabel.map(PushMessage.Options.init),
      forKey: .options
    )
  }
}
