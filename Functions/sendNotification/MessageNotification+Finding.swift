import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// The search for a message whose readers are to be notified.
extension MessageNotification {
  /// A message whose readers are to be notified, and the documents read so far.
  struct Found {
    var message: Message
    var conversation: Conversation
    var conversationName: DocumentName
    var names: Names
    var snapshot: Snapshot
  }

  enum Finding {
    case message(Found)
    case nothing(FunctionOutcome)
  }

  /// Reads a message and decides whether its readers are to be notified.
  func find(
    _ name: DocumentName,
    _ eventSnapshot: Document?
  ) async throws -> Finding {
    let conversationName = try session.conversationName(of: name.path)
    let expected = try eventSnapshot.map { try [Names(of: Message($0), session).ledger] } ?? []
    var snapshot = try await firestore.snapshot(
      [name, conversationName] + expected + neighbours(of: eventSnapshot)
    )
    guard let document = snapshot[name] else { return .nothing(Self.isGone) }
    if let timestamp = Message(document).missingTimestamp {
      try await write(timestamp, to: document)
      return try await find(name, eventSnapshot)
    }
    let message = Message(document).distrusting(eventSnapshot)
    guard message.senderID != nil else {
      return .nothing(.skipped(reason: "the message has no senderId"))
    }
    guard message.hasContent else {
      return .nothing(.skipped(reason: "the message has no text"))
    }
    var names = try Names(of: message, session)
    snapshot = try await firestore.extended(snapshot, by: [names.ledger])
    let conversation = try Conversation(snapshot[conversationName], of: message)
    let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
    if ledger.isComplete {
      guard ledger.isOfAnother(than: name) else {
        let isOld = ledger.isOlder(than: document)
        return .nothing(isOld ? try await countCopy(message) : Self.alreadyDone)
      }
      guard ledger.isOfFormer(at: snapshot.readTime) else {
        return .nothing(try await countCopy(message))
      }
      var message = message
      message.clientID = nil
      names = try Names(of: message, session)
      snapshot = try await firestore.extended(snapshot, by: [names.ledger])
      let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
      guard !ledger.isComplete else { return .nothing(Self.alreadyDone) }
    }
    if let reason = conversation.reasonForNoReaders(of: message) {
      return .nothing(.skipped(reason: reason))
    }
    return .message(
      Found(
        message: message,
        conversation: conversation,
        conversationName: conversationName,
        names: names,
        snapshot: snapshot
      )
    )
  }

  /// Copies a message's `serverTimestamp` to its field `timestamp`, which it lacks.
  ///
  /// If the message changes meanwhile, nothing is written.
  func write(_ timestamp: Timestamp, to message: Document) async throws(StatusError) {
    do throws(StatusError) {
      try await firestore.commit([
        Write(
          .update(Document(name: message.name, fields: ["timestamp": .timestamp(timestamp)])),
          updateMask: FieldMask([FieldPath("timestamp")]),
          currentDocument: message.updateTime.map(Precondition.updateTime)
        )
      ])
    } catch {
      guard error.isConflict else { throw error }
    }
  }

  /// Reads the profiles and inboxes of a message's readers.
  func readers(of found: Found) async throws -> (Readers, Snapshot) {
    let users = found.conversation.users(of: found.message)
    var readers = Readers(message: found.message, conversation: found.conversation, profiles: [:])
    let snapshot = try await firestore.extended(
      found.snapshot,
      by: session.userNames(users)
        + session.inboxNames(of: readers.recipients, found.conversationName.id)
    )
    readers.profiles = try session.profiles(of: users, in: snapshot)
    session.remember(found.conversation, readers.profiles, as: found.conversationName)
    return (readers, snapshot)
  }

  static var isGone: FunctionOutcome { .skipped(reason: "the message no longer exists") }

  /// Updates the counts for a message that its sender has sent again as another document.
  ///
  /// No second push is sent.
  func countCopy(_ message: Message) async throws -> FunctionOutcome {
    _ = try await MessageChange(session, translator: translator, push: push).count(
      MessageChange.Concern(ofCopy: message)
    )
    return .skipped(reason: "its readers were notified of the same message before")
  }

  static var alreadyDone: FunctionOutcome {
    .skipped(reason: "every device has been notified already")
  }
}
