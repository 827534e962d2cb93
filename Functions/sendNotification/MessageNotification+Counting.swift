import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// The recipients' unread counts, computed from the messages and written to the inboxes.
extension MessageNotification {
  /// Reads the messages that the readers' counts depend on, among them the new message.
  ///
  /// - Parameter snapshot: a snapshot that contains the readers' inboxes.
  /// - Returns: The messages, or `nil` if the new message no longer exists.
  func newestMessages(
    of readers: Readers,
    since snapshot: Snapshot
  ) async throws(StatusError) -> NewestMessages? {
    let name = try session.conversationName(of: readers.message.document.name.path)
    var times = try session.readTimes(of: readers.recipients, name.id, in: snapshot)
    times.moveBack(before: readers.message)
    let newest = try await session.newestMessages(
      of: name,
      for: readers.recipients,
      in: readers.conversation,
      including: readers.message,
      since: times,
      findsLast: false
    )
    return newest.lacks(readers.message) ? nil : newest
  }

  /// Returns the writes of the recipients' unread counts.
  ///
  /// - Parameters:
  ///   - texts: the message's texts, for the inboxes' previews.
  ///   - snapshot: the stored counts, read before the messages. They are the writes'
  ///     preconditions: of two deliveries, the one that read the messages later writes last.
  func writes(
    of newest: NewestMessages,
    for readers: Readers,
    _ texts: TranslatedTexts,
    since snapshot: Snapshot
  ) throws(StatusError) -> WriteChunks {
    let conversation = try session.conversationName(of: readers.message.document.name.path)
    var writes: [Write] = []
    for uid in readers.recipients.sorted() {
      let count = try InboxCount(
        of: session.userName(uid),
        in: readers.conversation,
        conversation.id,
        newest: newest,
        texts: [ByteKey(readers.message.document.name.id): texts],
        since: snapshot
      )
      writes += [count.write()].compactMap(\.self)
    }
    return WriteChunks(writes, of: conversation, since: snapshot)
  }

  /// Writes the recipients' unread counts.
  ///
  /// If other messages arrive or members leave meanwhile, everything is read again.
  ///
  /// - Returns: `false` if the message no longer exists.
  func write(
    _ writes: WriteChunks,
    of readers: Readers,
    _ texts: TranslatedTexts
  ) async throws(StatusError) -> Bool {
    let conversation = try session.conversationName(of: readers.message.document.name.path)
    var (writes, readers) = (writes, readers)
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      do throws(StatusError) {
        for chunk in writes { try await firestore.commit(chunk) }
        return true
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
      let snapshot = try await firestore.snapshot(
        [conversation] + session.inboxNames(of: readers.recipients, conversation.id)
      )
      readers.conversation = try readers.remaining(
        in: snapshot[conversation],
        of: readers.message
      )
      guard let newest = try await newestMessages(of: readers, since: snapshot) else {
        return false
      }
      writes = try self.writes(of: newest, for: readers, texts, since: snapshot)
    }
    throw StatusError(
      .aborted,
      "the recipients' inboxes kept changing while their unread counts were written"
    )
  }

  /// The maximum number of retries after a conflicting write. Each retry waits longer than the one
  /// before.
  ///
  /// In a busy conversation every message writes the same documents.
  static let maximumConflicts = 50
}
