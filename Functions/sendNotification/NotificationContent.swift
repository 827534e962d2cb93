import Chat
import Providers

/// The title, body and image of a push, as a pure function of the documents that were read.
struct NotificationContent: Equatable {
  var title: String
  var body: String
  /// The URL of a photo, or `nil`.
  var image: String?

  /// The maximum size of a title in bytes, as much as a phone shows.
  ///
  /// The push's other parts may leave less room (`PushMessage.fitted`).
  static let maximumTitleBytes = 200
  /// The maximum size of a body in bytes.
  static let maximumBodyBytes = 1_000

  /// Creates the content of a push.
  ///
  /// In a one-on-one conversation the title is the sender's name. In a group it is the group's
  /// name, and the body begins with the sender's name unless the reader hides messages' contents.
  ///
  /// - Parameters:
  ///   - text: the message's text, translated if there is a translation.
  ///   - image: the URL of the message's photo, which is hidden together with the text.
  init(
    text: String,
    isHidden: Bool = false,
    image: String? = nil,
    conversation: Conversation,
    sender: UserProfile?
  ) {
    self.image = isHidden ? nil : image
    let senderName = sender?.displayName.flatMap(Self.line) ?? "WorldChat"
    if conversation.isGroup, let name = conversation.name.flatMap(Self.line) {
      title = name.cut(toBytes: Self.maximumTitleBytes)
      body = (isHidden ? text : "\(senderName): \(text)").cut(toBytes: Self.maximumBodyBytes)
    } else {
      title = senderName.cut(toBytes: Self.maximumTitleBytes)
      body = text.cut(toBytes: Self.maximumBodyBytes)
    }
  }

  /// Returns a name as one line of visible text, or `nil` if no visible character is left.
  ///
  /// Control characters, line breaks and bidirectional controls are removed. A bidirectional
  /// control could reorder the text around a name. Characters that join emoji or letters stay.
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

  /// Returns whether a character begins or ends an embedding, override or isolate of bidirectional
  /// text.
  private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
  }
}
