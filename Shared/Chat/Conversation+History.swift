package import FirestoreModel

/// Who joins sees what is said from `joinedAt.{uid}` on, unless `settings.history` is true.
extension Conversation {
  /// From when on messages are a member's to see; nil for all of them.
  ///
  /// Whose entry in `joinedAt` is no time has joined after every message.
  package func historyStart(for uid: String) -> Timestamp? {
    guard let fields = document?.fields, fields["settings"]?.mapValue?["history"] != true else {
      return nil
    }
    let joinedAt = fields["joinedAt"]
    let entry = if case .map(let entries) = joinedAt { entries[uid] } else { joinedAt }
    switch entry {
    case nil, .null: return nil
    case .timestamp(let time): return time
    default: return Self.never
    }
  }

  /// Whether a message is a member's to see. One that doesn't say when it was sent is not, for
  /// whom it matters.
  package func shows(_ message: Message, to uid: String) -> Bool {
    guard let start = historyStart(for: uid) else { return true }
    return message.timestamp.map { $0 >= start } ?? false
  }

  /// From when on messages are to be seen by everybody who sees this one; nil for all of them.
  package func historyStart(forReadersOf message: Message) -> Timestamp? {
    participants.filter { shows(message, to: $0) }.compactMap(historyStart(for:)).max()
  }

  /// The last second that Firestore has.
  private static let never = Timestamp(seconds: 253_402_300_799)
}
