import Chat
import Providers

/// What a push says: a decision over what was read, without effects.
struct NotificationContent: Equatable {
  var title: String
  var body: String

  /// What a phone shows of it at most. The push's other parts may leave less (`PushMessage.fitted`).
  static let maximumTitleBytes = 200
  static let maximumBodyBytes = 1_000

  /// One-on-one the sender is the title; in a group the group is, and the body says who speaks.
  ///
  /// - Parameter text: in the reader's language where there is a translation.
  init(text: String, conversation: Conversation, sender: UserProfile?) {
    let senderName = sender?.displayName ?? "WorldChat"
    if conversation.isGroup, let name = conversation.name {
      title = name.cut(toBytes: Self.maximumTitleBytes)
      body = "\(senderName): \(text)".cut(toBytes: Self.maximumBodyBytes)
    } else {
      title = senderName.cut(toBytes: Self.maximumTitleBytes)
      body = text.cut(toBytes: Self.maximumBodyBytes)
    }
  }

  /// The text of a message without words; the client shows the picture itself.
  static let attachment = "📷"
}
