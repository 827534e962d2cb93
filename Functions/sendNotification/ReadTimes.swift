import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The times up to which readers have read a conversation, as their inboxes store them.
///
/// A message by others with a timestamp up to such a time needn't be read again: the reader has
/// read it, or it doesn't count. So an invocation reads only the messages after that time.
///
/// The time is a result of counting, not an assumption. It goes back when an event shows an unread
/// message from before it, such as one whose client wrote an old timestamp.
struct ReadTimes {
  /// The field of an inbox that stores the time.
  static let field = "readUpTo"

  private var times: [ByteKey: Timestamp] = [:]
  /// A Boolean value that indicates whether a reader's inbox stores no time.
  private var lacksTime = false
  /// A Boolean value that indicates whether a time was moved back, perhaps between two copies of a
  /// message. Then the older copy, too, has to be read.
  private var isMovedBack = false

  /// Creates times without any reader, so that all messages are read.
  init() { lacksTime = true }

  /// Creates the times that inboxes store.
  ///
  /// - Parameter inboxes: the readers' ids with their inboxes, `nil` if there is none.
  init(_ inboxes: some Sequence<(String, Document?)>) {
    for (uid, inbox) in inboxes {
      let time = inbox?.fields[Self.field]?.timestampValue
      times[ByteKey(uid)] = time
      lacksTime = lacksTime || time == nil
    }
  }

  subscript(_ uid: String) -> Timestamp? { times[ByteKey(uid)] }

  /// The time after which messages have to be read, or `nil` if the newest ones have to be read
  /// whatever their time.
  var earliest: Timestamp? { lacksTime || isMovedBack ? nil : times.values.min() }

  /// Moves the readers' times back before a message, so that it is read with the newer ones.
  ///
  /// - Parameter isMeant: whether a reader's time is to move back.
  mutating func moveBack(
    before message: Message,
    where isMeant: (String) -> Bool = { _ in true }
  ) {
    guard let before = message.timestamp?.justBefore else { return }
    for (uid, time) in times where time > before && isMeant(uid.string) {
      times[uid] = before
      isMovedBack = true
    }
  }
}

extension Timestamp {
  /// The latest time before this one. Firestore stores microseconds.
  var justBefore: Timestamp { advanced(by: .microseconds(-1)) }
}

extension ChatSession {
  /// Returns the times up to which readers have read a conversation.
  ///
  /// - Parameter snapshot: a snapshot that contains the readers' inboxes. It must be the one whose
  ///   update times are the preconditions of the new counts.
  func readTimes(
    of readers: [String],
    _ conversationID: String,
    in snapshot: Snapshot
  ) throws(StatusError) -> ReadTimes {
    let inboxes = try inboxNames(of: readers, conversationID)
    return ReadTimes(zip(readers, inboxes.map { snapshot[$0] }))
  }
}
