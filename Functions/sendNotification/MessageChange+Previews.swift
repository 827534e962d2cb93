import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// The texts of inboxes' previews after a change.
extension MessageChange {
  /// Returns the translated texts of the last messages that stored inboxes don't show yet, by message id.
  ///
  /// A receipt needs no text, because it changes no last message. After a deletion the inboxes show
  /// an older message, whose translations are known; none is paid for then.
  func texts(
    _ newest: NewestMessages,
    _ concern: Concern,
    for readers: [String],
    in conversation: Conversation,
    _ conversationName: DocumentName,
    _ snapshot: Snapshot
  ) async throws(StatusError) -> [ByteKey: TranslatedTexts] {
    guard concern.isGone || concern.isEdited else { return [:] }
    let inboxes = try session.inboxNames(of: readers, conversationName.id)
    var missing: Set<DocumentName> = []
    for (uid, inbox) in zip(readers, inboxes) {
      // A receipt's delivery may already have stored an edited message's original text.
      guard let last = newest.last(for: uid, in: conversation), snapshot[inbox] != nil,
        concern.edits(last) || !InboxPreview.isShown(last, in: snapshot[inbox])
      else { continue }
      missing.insert(last.document.name)
    }
    guard !missing.isEmpty else { return [:] }
    let senders = missing.compactMap { newest.sender(of: $0) }
    let users = Set(conversation.participants + senders)
    let known = try await firestore.extended(snapshot, by: session.userNames(users) + missing)
    let profiles = try session.profiles(of: users, in: known)
    var texts: [ByteKey: TranslatedTexts] = [:]
    for name in missing {
      guard let document = known[name] else { continue }
      let originals = TranslatedTexts(
        of: concern.distrusting(Message(document)),
        in: conversation,
        profiles: profiles,
        mayBeOffline: translator.mayBeOffline
      )
      var entries: [DocumentName] = []
      for request in originals.requests.values { entries.append(try translator.entry(of: request)) }
      let known = try await firestore.extended(known, by: entries)
      let requests = Set(originals.requests.values)
      let isCached = try translator.needsNoProvider(for: requests, in: known)
      var answers: Translator.Answers = [:]
      if isCached || !concern.isGone {
        answers = await originals.answers(by: translator, known: known, session: session)
      }
      texts[ByteKey(name.id)] = originals.translated(answers)
    }
    return texts
  }
}

extension MessageChange.Concern {
  /// Returns whether the event reports an edit of a message.
  fileprivate func edits(_ message: Message) -> Bool {
    isEdited && message.document.name == self.message.document.name
  }

  /// Returns the message without translations that the event's client wrote with its text.
  fileprivate func distrusting(_ message: Message) -> Message {
    guard isEdited, let former, message.document.name == self.message.document.name else {
      return message
    }
    return message.distrusting(self.message.document, since: former)
  }
}
