package import Core

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
  /// Notifications of one thread are shown together, and for a phone that is off FCM keeps the last
  /// of each.
  package var thread: String
  /// A later push with the same id replaces an earlier one. At most 64 bytes.
  package var collapseID: String
  /// Under which name Firebase's reports count it.
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
  /// What FCM takes. It counts the names and values of `notification` and `data`, Apple the JSON
  /// that a phone gets.
  package static let maximumBytes = 4_096

  /// What is counted against it: all of the message's JSON but the address. That is more than either
  /// of them counts.
  package var payloadBytes: Int {
    var message = self
    message.token = ""
    return (try? JSON.encode(message))?.count ?? .max
  }

  /// The message, its body and then its title cut so far that FCM takes it.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the rest alone is too large.
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

  /// The message with as many of a text's characters as fit, and an ellipsis; without the text if not
  /// even that does. How many that are only JSON tells, where a character may be six.
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
  /// Cuts between characters as people see them, never inside an emoji or an accented letter, and
  /// ends what is cut with an ellipsis.
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
      /// If the app has no such channel it is shown in the one of its manifest.
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
