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
  /// Whether every device was dealt with, and all that goes with a push.
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

  /// The write that adds devices that need nothing more. Two deliveries at once add to each other.
  func write(outcomes: [String: String], message: DocumentName, now: Timestamp) -> Write {
    var devices: Fields = [:]
    for (token, outcome) in outcomes { devices[ContentHash.token(token)] = .string(outcome) }
    return write(["devices": .map(devices)], message: message, now: now)
  }

  /// The write that says that nothing is left to do.
  func completion(message: DocumentName, now: Timestamp) -> Write {
    write(["complete": true], message: message, now: now)
  }

  private func write(_ change: Fields, message: DocumentName, now: Timestamp) -> Write {
    var fields: Fields = [
      "function": "sendNotification",
      "document": .string(message.path.description),
      "expiresAt": .timestamp(now.advanced(by: Self.lifetime)),
    ]
    var mask = fields.keys.map { FieldPath($0) }
    for (name, value) in change {
      fields[name] = value
      let members = value.mapValue?.keys.map { FieldPath(name, $0) }
      mask += members ?? [FieldPath(name)]
    }
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(mask.sorted())
    )
  }
}
