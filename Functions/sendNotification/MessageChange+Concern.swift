import Chat
import FirestoreModel
import FunctionRuntime

extension MessageChange {
  /// The parts of a message's change that concern notifications.
  struct Concern {
    /// The message as the event has it, after the change or before the deletion.
    let message: Message
    /// The message before the change, or `nil` if the event lacks it.
    let former: Document?
    /// A Boolean value that indicates whether the message was deleted.
    let isGone: Bool
    /// A Boolean value that indicates whether the text may have changed or the message may be new.
    let isEdited: Bool
    /// The ids of the readers whose unread count may change, or `nil` for all members.
    let readers: Set<String>?
    /// A Boolean value that indicates whether `status` or `readAt` now says that the message is read,
    /// or no longer says so.
    ///
    /// It concerns the recipient of a conversation between two.
    let changesMark: Bool
    /// The time of the change by Firestore's clock.
    let time: Timestamp

    /// Creates the parts of an event's change that concern notifications.
    ///
    /// - Returns: `nil` if the event reports the message's creation.
    init?(_ event: DocumentEvent) {
      guard let copy = event.value ?? event.oldValue, event.change != .created else { return nil }
      let message = Message(copy)
      self.message = message
      former = event.oldValue
      time = event.time
      isGone = event.change == .deleted
      isEdited = !isGone && event.changes(FieldPath("text"))
      let old = event.oldValue.map(Message.init)
      changesMark =
        !isGone
        && (old.map { $0.isMarkedRead != message.isMarkedRead }
          ?? ["status", "readAt"].contains { event.changes(FieldPath($0)) })
      if isGone {
        readers = nil
      } else if !event.changes(FieldPath("readBy")) {
        readers = []
      } else {
        // A receipt in the older form overwrites the whole list, and may remove other readers.
        readers = old.map { message.readBy.symmetricDifference($0.readBy) }
      }
    }

    /// Creates the concern for a copy, which is a message that its sender sent a second time.
    init(ofCopy message: Message) {
      self.message = message
      former = nil
      time = message.document.updateTime ?? Timestamp(seconds: 0)
      isGone = false
      isEdited = true
      readers = nil
      changesMark = false
    }

    /// A Boolean value that indicates whether the change concerns no notification.
    var isEmpty: Bool { !isGone && !isEdited && !changesMark && readers?.isEmpty == true }

    /// Returns whether the change is the first to say that one of the readers has read the message.
    func isRead(in conversation: Conversation) -> Bool {
      guard !isGone, let former = former.map(Message.init) else { return false }
      return conversation.participants.contains {
        conversation.hasRead($0, message) && !conversation.hasRead($0, former)
      }
    }

    /// The key of the lease on sending this change's pushes.
    ///
    /// All deliveries of one change share the key; another change has another key.
    var leaseKey: String {
      let name = ContentHash.document(message.document.name.path.description)
      let change =
        switch readers {
        case nil: isGone ? "gone" : "new"
        case []: changesMark ? "mark_\(message.isMarkedRead)" : "text"
        case let readers?: ContentHash.text(readers.sorted().joined(separator: "/"))
        }
      return "sendNotification_badge_\(name)_\(change)"
    }

    /// Returns whether the change may alter a member's unread count.
    func concerns(_ uid: String, in conversation: Conversation) -> Bool {
      guard let readers else { return isGone || uid != message.senderID }
      if let former = former.map(Message.init) {
        return uid != message.senderID
          && (conversation.hasRead(uid, message) != conversation.hasRead(uid, former)
            || message.hasContent != former.hasContent)
      }
      let isMarked =
        changesMark && uid == conversation.recipient(of: message)
        && !message.readBy.contains(uid)
      return uid != message.senderID && (readers.contains(uid) || isMarked)
    }
  }
}
