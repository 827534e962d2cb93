/// A notification for one device, in FCM's own words.
///
/// Source: firebase.google.com/docs/reference/fcm/rest/v1/projects.messages. `notification` has no
/// `sound`; sounds belong to the platforms.
package struct PushMessage: Sendable, Hashable {
  package var token: String
  package var title: String
  package var body: String
  /// Strings only, as FCM demands.
  package var data: [String: String]
  /// The number on the app's icon.
  package var badge: Int
  /// Notifications of one thread are shown together.
  package var thread: String
  /// A later push with the same id replaces an earlier one. At most 64 bytes.
  package var collapseID: String

  package init(
    token: String,
    title: String,
    body: String,
    data: [String: String],
    badge: Int,
    thread: String,
    collapseID: String
  ) {
    self.token = token
    self.title = title
    self.body = body
    self.data = data
    self.badge = badge
    self.thread = thread
    self.collapseID = collapseID
  }
}

extension PushMessage: Encodable {
  private struct Notification: Encodable {
    var title: String
    var body: String
  }

  private struct Android: Encodable {
    struct Notification: Encodable {
      var sound = "default"
      var tag: String
      var notificationCount: Int

      private enum CodingKeys: String, CodingKey {
        case sound, tag
        case notificationCount = "notification_count"
      }
    }
    var priority = "high"
    var notification: Notification
  }

  private struct APNS: Encodable {
    struct Payload: Encodable { var aps: APS }
    struct APS: Encodable {
      var badge: Int
      var sound = "default"
      var threadID: String
      var mutableContent = 1

      private enum CodingKeys: String, CodingKey {
        case badge, sound
        case threadID = "thread-id"
        case mutableContent = "mutable-content"
      }
    }
    var headers: [String: String]
    var payload: Payload
  }

  private enum Member: String, CodingKey { case token, notification, data, android, apns }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(token, forKey: .token)
    try container.encode(Notification(title: title, body: body), forKey: .notification)
    try container.encode(data, forKey: .data)
    try container.encode(
      Android(notification: .init(tag: collapseID, notificationCount: badge)),
      forKey: .android
    )
    try container.encode(
      APNS(
        headers: [
          "apns-priority": "10", "apns-push-type": "alert", "apns-collapse-id": collapseID,
        ],
        payload: .init(aps: .init(badge: badge, threadID: thread))
      ),
      forKey: .apns
    )
  }
}
