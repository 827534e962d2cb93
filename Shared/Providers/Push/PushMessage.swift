package import Core

/// A notification for one device, in FCM's format.
///
/// Source: firebase.google.com/docs/reference/fcm/rest/v1/projects.messages. The field `sound`
/// isn't in `notification` but in the fields for each platform.
package struct PushMessage: Sendable, Hashable {
  package var token: String
  package var title: String
  package var body: String
  /// The data for the app. FCM requires strings.
  package var data: [String: String]
  /// The number on the app's icon.
  package var badge: Int
  /// The thread under which notifications are grouped. For a phone that is off, FCM keeps the last
  /// notification of each thread.
  package var thread: String
  /// The id by which a later push replaces an earlier one. It has at most 64 bytes.
  package var collapseID: String
  /// The label under which Firebase's reports count the push.
  package var analyticsLabel: String?

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

extension PushMessage {
  /// FCM's maximum size of a message, in bytes.
  ///
  /// FCM counts the names and values of `notification` and `data`; Apple counts the JSON that a
  /// phone receives.
  package static let maximumBytes = 4_096

  /// The message's size for this limit: all of its JSON except the token. This size is larger than
  /// what FCM or Apple counts.
  package var payloadBytes: Int {
    var message = self
    message.token = ""
    return (try? JSON.encode(message))?.count ?? .max
  }

  /// Returns the message cut to FCM's limit: the body first, and then the title if necessary.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the other fields alone are too large.
  package func fitted() throws(StatusError) -> PushMessage {
    if fits { return self }
    let shorter = cutting(\.body)
    if shorter.fits { return shorter }
    let shortest = shorter.cutting(\.title)
    guard shortest.fits else {
      throw StatusError(.invalidArgument, "the push's data is too large for FCM")
    }
    return shortest
  }

  private var fits: Bool { payloadBytes <= Self.maximumBytes }

  /// Returns the message with its body or title cut until the message fits, and an ellipsis. If no
  /// part of the text fits, the text is empty.
  ///
  /// A binary search over the JSON's size finds the length, since a character may take six bytes in
  /// JSON.
  private func cutting(_ text: WritableKeyPath<PushMessage, String>) -> PushMessage {
    let characters = Array(self[keyPath: text])
    var message = self
    var (fitting, tooMany) = (-1, characters.count)
    while fitting + 1 < tooMany {
      let count = (fitting + tooMany + 1) / 2
      message[keyPath: text] = String(characters[..<count]) + "…"
      if message.fits { fitting = count } else { tooMany = count }
    }
    message[keyPath: text] = fitting < 0 ? "" : String(characters[..<fitting]) + "…"
    return message
  }
}

extension String {
  /// Returns the text cut to a number of bytes, with an ellipsis.
  ///
  /// The cut is between characters as people see them, never inside an emoji or an accented letter.
  package func cut(toBytes maximum: Int) -> String {
    guard utf8.count > maximum else { return self }
    var bytes = "…".utf8.count
    guard bytes <= maximum else { return "" }
    let kept = prefix {
      bytes += $0.utf8.count
      return bytes <= maximum
    }
    return kept + "…"
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
      /// The channel of Android's notifications. If the app doesn't have this channel, Android uses
      /// the default channel of the app's manifest.
      var channelID = "messages"
      var tag: String
      var notificationCount: Int

      private enum CodingKeys: String, CodingKey {
        case sound, tag
        case channelID = "channel_id"
        case notificationCount = "notification_count"
      }
    }
    var priority = "high"
    var collapseKey: String
    var notification: Notification

    private enum CodingKeys: String, CodingKey {
      case priority, notification
      case collapseKey = "collapse_key"
    }
  }

  private struct APNS: Encodable {
    struct Payload: Encodable { var aps: APS }
    struct APS: Encodable {
      var badge: Int
      var sound = "default"
      var threadID: String
      var mutableContent = 1
      var category = "MESSAGE"

      private enum CodingKeys: String, CodingKey {
        case badge, sound, category
        case threadID = "thread-id"
        case mutableContent = "mutable-content"
      }
    }
    var headers: [String: String]
    var payload: Payload
  }

  struct Options: Encodable {
    var analyticsLabel: String

    private enum CodingKeys: String, CodingKey { case analyticsLabel = "analytics_label" }
  }

  private enum Member: String, CodingKey {
    case token, notification, data, android, apns
    case options = "fcm_options"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(token, forKey: .token)
    try container.encode(Notification(title: title, body: body), forKey: .notification)
    try container.encode(data, forKey: .data)
    try container.encode(
      Android(
        collapseKey: thread,
        notification: .init(tag: collapseID, notificationCount: badge)
      ),
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
    try container.encodeIfPresent(analyticsLabel.map(Options.init), forKey: .options)
  }
}
