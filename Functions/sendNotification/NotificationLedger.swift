import Chat
import Core
import FirestoreModel

/// The ledger of devices that got a message's push, `functionEvents/sendNotification_{key}`.
///
/// A redelivered event sends pushes only to devices that are not in the ledger. The delivery that
/// has the message's lease writes the ledger after FCM has answered. If its process is killed
/// between the two steps, a push may be sent once more, with the same collapse id.
struct NotificationLedger {
  /// The time after which the ledger expires. Events are redelivered for a day at most.
  static let lifetime = Duration.seconds(7 * 86_400)
  /// The time during which a second message with the same client id is a copy of the first.
  static let copiesLifetime = Duration.seconds(86_400)

  let name: DocumentName
  private let sent: Set<ByteKey>
  /// A Boolean value that indicates whether no device needs another attempt.
  let isComplete: Bool
  /// The path of the message that the ledger belongs to.
  private let message: String?
  private let expiresAt: Timestamp?
  private let updateTime: Timestamp?

  static func path(of message: Message) -> String { "functionEvents/\(key(of: message))" }

  /// Returns the key of a message's ledger and of its lease; all copies of a message share it.
  static func key(of message: Message) -> String {
    let path = message.document.name.path
    var identity = path.description
    if let senderID = message.senderID, let clientID = message.clientID {
      // No document's path begins with a slash, so this text differs from every path.
      identity = "/\(ChatPaths.conversation(of: path))/\(senderID)/\(clientID)"
    }
    return "sendNotification_\(ContentHash.document(identity))"
  }

  init(name: DocumentName, document: Document?) {
    self.name = name
    message = document?.fields["document"]?.stringValue
    updateTime = document?.updateTime
    expiresAt = document?.fields["expiresAt"]?.timestampValue
    sent = Set((document?.fields["devices"]?.mapValue ?? [:]).keys)
    isComplete = document?.fields["complete"]?.booleanValue ?? false
  }

  /// Returns whether the ledger belongs to another document than the given one.
  func isOfAnother(than name: DocumentName) -> Bool {
    message.map { $0 != name.path.description } ?? false
  }

  /// Returns whether a message was deleted after its pushes, and then written again with the same id.
  func isOlder(than message: Document) -> Bool {
    guard let created = message.createTime, let updateTime else { return false }
    return updateTime < created
  }

  /// Returns whether the ledger is so old that a message sent now with the same client id is
  /// another message.
  func isOfFormer(at now: Timestamp) -> Bool {
    expiresAt.map { now.advanced(by: Self.lifetime).duration(since: $0) > Self.copiesLifetime }
      ?? false
  }

  /// Returns whether the ledger has an outcome for a device, so that the device needs no push.
  func contains(_ token: String) -> Bool { sent.contains(ByteKey(ContentHash.token(token))) }

  /// Returns the write that adds devices' outcomes and marks the ledger as complete, or `nil` if
  /// there is nothing to write.
  ///
  /// Devices that other deliveries have added stay.
  ///
  /// - Parameter now: the current time by Firestore's clock.
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
