import Chat

/// What a push says: a decision over what was read, without effects.
struct NotificationContent: Equatable {
  var title: String
  var body: String

  /// FCM takes 4,096 bytes for title, body, data and what surrounds them.
  static let maximumTitleBytes = 200
  static let maximumBodyBytes = 1_000

  /// One-on-one the sender is the title; in a group the group is, and the body says who speaks.
  ///
  /// - Parameter text: in the reader's language where there is a translation.
  init(text: String, conversation: Conversation, sender: UserProfile?) {
    let senderName = sender?.displayName ?? "WorldChat"
    if conversation.isGroup, let name = conversation.name {
      title = Self.cut(name, to: Self.maximumTitleBytes)
      body = Self.cut("\(senderName): \(text)", to: Self.maximumBodyBytes)
    } else {
      title = Self.cut(senderName, to: Self.maximumTitleBytes)
      body = Self.cut(text, to: Self.maximumBodyBytes)
    }
  }

  /// The text of a message without words; the client shows the picture itself.
  static let attachment = "📷"

  /// Cuts between characters as people see them, never inside an emoji or an accented letter.
  static func cut(_ text: String, to maximumBytes: Int) -> String {
    guard text.utf8.count > maximumBytes else { return text }
    var bytes = "…".utf8.count
    let kept = text.prefix {
      bytes += $0.utf8.count
      return bytes <= maximumBytes
    }
    return kept + "…"
  }
}
