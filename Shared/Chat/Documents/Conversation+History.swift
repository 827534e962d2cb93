import Core
package import FirestoreModel

/// Who joins sees what is said from `joinedAt.{uid}` on, unless `settings.history` is true.
extension Conversation {
  /// When somebody came in; nil for who was there from the beginning.
  ///
  /// Whose entry in `joinedAt` is no time has joined after every message.
  package func joinedAt(_ uid: String) -> Timestamp? {
    let joinedAt = document?.fields["joinedAt"]
    let entry = if case .map(let entries) = joinedAt { entries[uid] } else { joinedAt }
    switch entry {
    case nil, .null: return nil
    case .timestamp(let time): return time
    default: return Self.never
    }
  }

  /// Whether somebody came in after a message was written.
  package func joined(_ uid: String, after message: Message) -> Bool {
    message.isBefore(joinedAt(uid))
  }

  /// From when on messages are a member's to see; nil for all of them.
  package func historyStart(for uid: String) -> Timestamp? {
    document?.fields["settings"]?.mapValue?["history"] == true ? nil : joinedAt(uid)
  }

  /// Whether a message is a member's to see.
  package func shows(_ message: Message, to uid: String) -> Bool {
    historyStart(for: uid) == nil || !joined(uid, after: message)
  }

  /// From when on messages are to be seen by everybody who sees this one; nil for all of them.
  package func historyStart(forReadersOf message: Message) -> Timestamp? {
    participants.filter { shows(message, to: $0) }.compactMap(historyStart(for:)).max()
  }

  /// The last second that Firestore has.
  private static let never = Timestamp(seconds: 253_402_300_799)
}

extension Message {
  /// Whether it was written before somebody came in. One that doesn't say when counts as older, for
  /// whom it matters.
  package func isBefore(_ joined: Timestamp?) -> Bool {
    guard let joined else { return false }
    return timestamp.map { $0 < joined } ?? true
  }
}
