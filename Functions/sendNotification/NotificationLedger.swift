import Chat
import FirestoreModel

/// Which devices have been rung for a message, `functionEvents/sendNotification_{key}`.
///
/// A redelivered event rings only the devices that are not in it. It is written after FCM has
/// answered: a process killed in between may ring once more, with the same collapse id.
struct NotificationLedger {
  /// Events are redelivered for a day at most.
  static let lifetime = Duration.seconds(7 * 86_400)

  let name: DocumentName
  private let sent: Set<String>
  /// Whether every device was dealt with.
  let isComplete: Bool

  static func path(of message: DocumentName) -> String {
    "functionEvents/sendNotification_\(ContentHash.document(message.path.description))"
  }

  init(name: DocumentName, document: Document?) {
    self.name = name
    sent = Set((document?.fields["devices"]?.mapValue ?? [:]).keys)
    isComplete = document?.fields["complete"]?.booleanValue ?? false
  }

  /// Whether this device needs nothing more.
  func contains(_ token: String) -> Bool { sent.contains(ContentHash.token(token)) }

  /// The write that adds what was done now. Two deliveries at once add to each other.
  func write(
    outcomes: [String: String],
    isComplete: Bool,
    message: DocumentName,
    now: Timestamp
  ) -> Write {
    var fields: Fields = [
      "function": "sendNotification",
      "document": .string(message.path.description),
      "complete": .boolean(isComplete),
      "expiresAt": .timestamp(now.advanced(by: Self.lifetime)),
    ]
    var mask = fields.keys.sorted().map { FieldPath($0) }
    for (token, outcome) in outcomes {
      let path = FieldPath("devices", ContentHash.token(token))
      fields.set(.string(outcome), at: path)
      mask.append(path)
    }
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(mask.sorted())
    )
  }
}
