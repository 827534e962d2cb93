/// A silent push that sets the number on the app's icon and lets the app remove notifications of
/// read messages.
///
/// The push has no alert and no sound. Only the last of several such pushes matters, so FCM keeps
/// just one for a phone that is off.
package struct BadgeMessage: Sendable, Hashable {
  package var token: String
  /// The number on the app's icon; 0 removes it.
  package var badge: Int
  /// The conversation in which messages were read or deleted.
  package var conversationID: String
  /// The label under which Firebase's reports count the push.
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
    /// The type is `alert`, because Apple delays `background` pushes after a few in an hour. Apple
    /// allows this type for a visible badge. The priority is 5: users don't wait for the push.
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
