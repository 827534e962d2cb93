import Chat
import Core
import FirestoreModel

/// Which devices have been rung for a message, `functionEvents/sendNotification_{key}`.
///
/// A redelivered event rings only the devices that are not in it. It is written by the delivery that
/// has the message's lease, after FCM has answered: a process killed in between may ring once more,
/// with the same collapse id.
struct NotificationLedger {
  /// Events are redelivered for a day at most.
  static let lifetime = Duration.seconds(7 * 86_400)
  /// How long a message that its sender sends again, with the same id of theirs, is the same.
  static let copiesLifetime = Duration.seconds(86_400)

  let name: DocumentName
  private let sent: Set<ByteKey>
  /// Whether every device was dealt with, and all that goes with a push.
  let isComplete: Bool
  /// The path of the message it is about.
  private let message: String?
  private let expiresAt: Timestamp?

  static func path(of message: Message) -> String { "functionEvents/\(key(of: message))" }

  /// The key of the lease that one delivery has while it rings: one for all that are the same message.
  static func key(of message: Message) -> String {
    let path = message.document.name.path
    var identity = path.description
    if let senderID = message.senderID, let clientID = message.clientID {
      // No document's path begins with a slash.
      identity = "/\(ChatPaths.conversation(of: path))/\(senderID)/\(clientID)"
    }
    return "sendNotification_\(ContentHash.document(identity))"
  }

  init(name: DocumentName, document: Document?) {
    self.name = name
    message = document?.fields["document"]?.stringValue
    expiresAt = document?.fields["expiresAt"]?.timestampValue
    sent = Set((document?.fields["devices"]?.mapValue ?? [:]).keys)
    isComplete = document?.fields["complete"]?.booleanValue ?? false
  }

  /// Whether it is about another document than the given one.
  func isOfAnother(than name: DocumentName) -> Bool {
    message.map { $0 != name.path.description } ?? false
  }

  /// Whether it was last written so long ago that a message sent now is another one, though its sender
  /// gave it the same id.
  func isOfFormer(at now: Timestamp) -> Bool {
    expiresAt.map { now.advanced(by: Self.lifetime).duration(since: $0) > Self.copiesLifetime }
      ?? false
  }

  /// Whether this device needs nothing more.
  func contains(_ token: String) -> Bool { sent.contains(ByteKey(ContentHash.token(token))) }

  /// The write that adds devices that need nothing more, and says whether that was all there is to
  /// do; nil if there is nothing to say. What others have added stays.
  ///
  /// - Parameter now: Firestore's time.
  func write(
    outcomes: [String: String],
    isComplete: Bool,
    message: DocumentName,
    now: Timestamp
  ) -> Write? {
    guard isComplete || !outcomes.isEmpty else { return nil }
    var fields: Fields = [
      "function": "sendNotification",
      "document": .string(message.path.description),
      "expiresAt": .timestamp(now.advanced(by: Self.lifetime)),
    ]
    if isComplete { fields["complete"] = true }
    var mask = fields.keys.map { FieldPath($0) }
    if !outcomes.isEmpty {
      var devices: Fields = [:]
      for (token, outcome) in outcomes { devices[ContentHash.token(token)] = .string(outcome) }
      fields["devices"] = .map(devices)
      mask += devices.keys.map { FieldPath("devices", $0) }
    }
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(mask.sorted())
    )
  }
}
