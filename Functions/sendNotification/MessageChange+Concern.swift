import Chat
import FirestoreModel
import FunctionRuntime

extension MessageChange {
  /// What of a message's change concerns notifications.
  struct Concern {
    /// As the event has it, after the change or before the deletion.
    let message: Message
    /// Whether the message was deleted.
    let isGone: Bool
    /// Whether its text may be another, or it may be new.
    let isEdited: Bool
    /// For whom it may count otherwise now; nil for everybody.
    let readers: Set<String>?
    /// When it happened, by Firestore's clock.
    let time: Timestamp

    /// - Returns: nil for a creation.
    init?(_ event: DocumentEvent) {
      guard let copy = event.value ?? event.oldValue, event.change != .created else { return nil }
      message = Message(copy)
      time = event.time
      isGone = event.change == .deleted
      isEdited = !isGone && event.changes(FieldPath("text"))
      if isGone {
        readers = nil
      } else if !event.changes(FieldPath("readBy")) {
        readers = []
      } else if let old = event.oldValue {
        // The older form of a receipt overwrites the list, and takes others off it.
        readers = message.readBy.symmetricDifference(Message(old).readBy)
      } else {
        readers = nil
      }
    }

    /// A message that is there a second time.
    init(ofCopy message: Message) {
      self.message = message
      time = message.document.updateTime ?? Timestamp(seconds: 0)
      isGone = false
      isEdited = true
      readers = nil
    }

    /// Whether there is anything to look at.
    var isEmpty: Bool { !isGone && !isEdited && readers?.isEmpty == true }

    /// The key of the lease of whoever tells phones of it; another delivery of the same change has the
    /// same, another change another one.
    var leaseKey: String {
      let message = ContentHash.document(message.document.name.path.description)
      let change =
        switch readers {
        case nil: isGone ? "gone" : "new"
        case []: "text"
        case let readers?: ContentHash.text(readers.sorted().joined(separator: "/"))
        }
      return "sendNotification_badge_\(message)_\(change)"
    }

    /// Whether a member is one of those it may count otherwise for.
    func concerns(_ uid: String) -> Bool {
      guard let readers else { return isGone || uid != message.senderID }
      return readers.contains(uid) && uid != message.senderID
    }
  }
}
