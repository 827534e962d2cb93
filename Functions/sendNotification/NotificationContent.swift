import Chat
import Providers

/// What a push says: a decision over what was read, without effects.
struct NotificationContent: Equatable {
  var title: String
  var body: String

  /// What a phone shows of it at most. The push's other parts may leave less (`PushMessage.fitted`).
  static let maximumTitleBytes = 200
  static let maximumBodyBytes = 1_000

  /// One-on-one the sender is the title; in a group the group is, and the body says who speaks,
  /// unless the reader wants nothing shown of a message.
  ///
  /// - Parameter text: in the reader's language where there is a translation.
  init(text: String, isHidden: Bool = false, conversation: Conversation, sender: UserProfile?) {
    let senderName = sender?.displayName.flatMap(Self.line) ?? "WorldChat"
    if conversation.isGroup, let name = conversation.name.flatMap(Self.line) {
      title = name.cut(toBytes: Self.maximumTitleBytes)
      body = (isHidden ? text : "\(senderName): \(text)").cut(toBytes: Self.maximumBodyBytes)
    } else {
      title = senderName.cut(toBytes: Self.maximumTitleBytes)
      body = text.cut(toBytes: Self.maximumBodyBytes)
    }
  }

  /// A name as one line that says what it seems to say: without controls, line breaks, and what turns
  /// the direction of the text around it. What joins emoji and letters stays. nil if nothing is left
  /// that can be seen.
  private static func line(_ name: String) -> String? {
    let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: " "
      default: scalar
      }
    }
    let words = scalars.filter { !isDirection($0) }.split(separator: " ")
    var line = String.UnicodeScalarView()
    line.append(contentsOf: words.joined(separator: [" "]))
    return Message.hasText(String(line)) ? String(line) : nil
  }

  /// Embeddings, overrides and isolates of bidirectional text, and what ends them.
  private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
  }
}
