import Core
package import FirestoreModel

/// The part of the conversation that a member sees.
///
/// A member sees the messages since `joinedAt.{uid}`. If `settings.history` is true, all members
/// see all messages.
extension Conversation {
  /// Returns the time when a user joined, or `nil` for a member from the beginning.
  ///
  /// An entry in `joinedAt` that isn't a time counts as a time after every message.
  package func joinedAt(_ uid: String) -> Timestamp? {
    let joinedAt = document?.fields["joinedAt"]
    let entry = if case .map(let entries) = joinedAt { entries[uid] } else { joinedAt }
    switch entry {
    case nil, .null: return nil
    case .timestamp(let time): return time
    default: return Self.never
    }
  }

  /// Returns a Boolean value that indicates whether a user joined after a message was written.
  package func joined(_ uid: String, after message: Message) -> Bool {
    message.isBefore(joinedAt(uid))
  }

  /// Returns the time of the first message that a member sees, or `nil` if the member sees all.
  package func historyStart(for uid: String) -> Timestamp? {
    document?.fields["settings"]?.mapValue?["history"] == true ? nil : joinedAt(uid)
  }

  /// Returns a Boolean value that indicates whether a member sees a message.
  package func shows(_ message: Message, to uid: String) -> Bool {
    historyStart(for: uid) == nil || !joined(uid, after: message)
  }

  /// Returns the start of the history that all readers of a message see, or `nil` if they see all
  /// messages.
  package func historyStart(forReadersOf message: Message) -> Timestamp? {
    participants.filter { shows(message, to: $0) }.compactMap(historyStart(for:)).max()
  }

  /// The last second of Firestore's time range.
  private static let never = Timestamp(seconds: 253_402_300_799)
}

extension Message {
  /// Returns a Boolean value that indicates whether the message was written before a user joined.
  ///
  /// A message without a time counts as written before any joining time.
  package func isBefore(_ joined: Timestamp?) -> Bool {
    guard let joined else { return false }
    return timestamp.map { $0 < joined } ?? true
  }
}
