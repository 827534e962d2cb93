import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// The notification of one new message, sent to all members of its conversation but the sender.
struct MessageNotification {
  let session: ChatSession
  let translator: Translator
  let push: PushClient
  var firestore: FirestoreClient { session.firestore }

  init(_ session: ChatSession, translator: Translator, push: PushClient) {
    self.session = session
    self.translator = translator
    self.push = push
  }

  struct Report: Encodable {
    var recipients: [RecipientReport]
  }

  struct RecipientReport: Encodable {
    var uid: String
    var language: String?
    var engine: String?
    var unread: Int
    /// The number on the app's icon, if a silent push carried it.
    var badge: Int?
    /// The number of devices that this delivery sent a push to.
    var sent = 0
    /// The number of devices that an earlier delivery of this event sent a push to.
    var alreadySent = 0
    /// The number of devices that FCM no longer knows, and whose tokens are deleted.
    var unregistered = 0
    /// The number of devices that the push failed for.
    var failed = 0
    /// The reason why there is no push, or why it is not in the reader's language.
    var reason: String?
  }

  /// Updates the unread counts and sends the pushes.
  ///
  /// - Parameter eventSnapshot: the message as it was created. It determines which other documents
  ///   are read, and shows which translations the client wrote.
  func notify(of name: DocumentName, eventSnapshot: Document?) async throws -> FunctionOutcome {
    let found: Found
    switch try await find(name, eventSnapshot) {
    case .nothing(let outcome): return outcome
    case .message(let message): found = message
    }
    let (readers, snapshot) = try await readers(of: found)
    let originals = translatedTexts(of: readers)
    let entries = try entries(of: originals.requests.values)
    let known = try await firestore.extended(snapshot, by: entries)
    async let answers = originals.answers(by: translator, known: known, session: session)

    guard let newest = try await newestMessages(of: readers, since: known) else {
      return Self.isGone
    }
    // Unread counts don't wait for a provider. If no request to a provider is needed, one commit
    // writes the counts and takes the claim.
    let isCached = try translator.needsNoProvider(for: Set(originals.requests.values), in: known)
    let texts = isCached ? originals.translated(await answers) : originals
    let writes = try writes(of: newest, for: readers, texts, since: known)
    if isCached, writes.isOne {
      let states = try await states(of: readers)
      if let claim = try await claim(found.names, since: known, writing: Array(writes.joined())) {
        let view = View(readers: readers, texts: texts, newest: newest, states: states)
        return try await sendPushes(view, claim)
      }
    }
    guard try await write(writes, of: readers, texts) else { return Self.isGone }
    let translations = await answers
    guard let claim = try await waitForClaim(found.names, since: isCached ? nil : known) else {
      return Self.alreadyDone
    }
    return try await lookAgainAndSend(to: readers, eventSnapshot, translations, claim)
  }

  /// Reads the documents that the pushes depend on again, and sends the pushes.
  ///
  /// The lease is released if there is nothing to send.
  private func lookAgainAndSend(
    to readers: Readers,
    _ eventSnapshot: Document?,
    _ answers: Translator.Answers,
    _ claim: Claim
  ) async throws(StatusError) -> FunctionOutcome {
    let view: View?
    do throws(StatusError) {
      view = try await lookAgain(at: readers, eventSnapshot, answers)
    } catch {
      // Nothing was sent, so the next delivery needn't wait for the lease to expire.
      await session.leases.release([claim.lease])
      throw error
    }
    guard let view else {
      await session.leases.release([claim.lease])
      return Self.isGone
    }
    return try await sendPushes(view, claim)
  }

  /// Returns the documents to read with the message, such as its readers' profiles and
  /// translations.
  ///
  /// The list is a prediction from the conversation and the profiles that this process last read.
  func neighbours(of eventSnapshot: Document?) throws(StatusError) -> [DocumentName] {
    guard let expected = session.expected(eventSnapshot),
      expected.message.hasContent
    else { return [] }
    let users = expected.conversation.users(of: expected.message)
    let readers = Readers(
      message: expected.message,
      conversation: expected.conversation,
      profiles: expected.profiles
    )
    let conversationName = try session.conversationName(of: expected.message.document.name.path)
    return try session.userNames(users)
      + session.inboxNames(of: readers.recipients, conversationName.id)
      + entries(of: translatedTexts(of: readers).requests.values)
  }

  private func translatedTexts(of readers: Readers) -> TranslatedTexts {
    TranslatedTexts(
      of: readers.message,
      in: readers.conversation,
      profiles: readers.profiles,
      mayBeOffline: translator.mayBeOffline
    )
  }

  private func entries(
    of requests: some Sequence<Translator.Request>
  ) throws(StatusError) -> [DocumentName] {
    var names: [DocumentName] = []
    for request in Set(requests) { names.append(try translator.entry(of: request)) }
    return names
  }

  /// The readers of a message: its conversation and their profiles.
  struct Readers {
    var message: Message
    var conversation: Conversation
    var profiles: [String: UserProfile]

    /// The ids of all members but the sender.
    var recipients: [String] { conversation.participants.filter { $0 != message.senderID } }

    /// Returns the current conversation without members who joined since the earlier read.
    ///
    /// Such members joined after the message was written. If the conversation was deleted
    /// meanwhile, the result has no members, even if the message names some.
    func remaining(
      in document: Document?,
      of current: Message
    ) throws(StatusError) -> Conversation {
      let isDeleted = document == nil && conversation.document != nil
      let members = isDeleted ? [] : Set(conversation.users(of: message))
      var current = try Conversation(document, of: current)
      current.participants.removeAll { !members.contains($0) }
      return current
    }
  }

  /// The data from which pushes are made.
  struct View {
    var readers: Readers
    var texts: TranslatedTexts
    var newest: NewestMessages
    var states: [RecipientState]
  }

  /// The maximum number of readers to look up at the same time, with two requests each.
  private static let maximumReaders = 50

  private func states(of readers: Readers) async throws(StatusError) -> [RecipientState] {
    try await readers.recipients.sorted().concurrently(
      atMost: Self.maximumReaders
    ) { uid throws(StatusError) in
      let user = try session.userName(uid)
      let queries = [StructuredQuery(from: "devices"), InboxCount.unread]
      let found = try await queries.concurrently(atMost: 2) { query throws(StatusError) in
        try await firestore.run(query, below: user)
      }
      return RecipientState(
        name: user,
        profile: readers.profiles[uid],
        devices: Devices(documents: found[0], profile: readers.profiles[uid]),
        inbox: found[1]
      )
    }
  }

  /// Reads the documents that the pushes depend on again, after a wait for a provider or another
  /// delivery.
  ///
  /// The message may have been edited or read by then, and its readers may have left. There is no
  /// second wait for a provider: a text that changed meanwhile is translated only from the cache.
  ///
  /// - Parameter answers: the translator's answers for the former text.
  /// - Returns: The data, or `nil` if the message no longer exists or is empty now.
  private func lookAgain(
    at former: Readers,
    _ eventSnapshot: Document?,
    _ answers: Translator.Answers
  ) async throws(StatusError) -> View? {
    let name = former.message.document.name
    let conversationName = try session.conversationName(of: name.path)
    let users = former.conversation.users(of: former.message)
    let snapshot = try await firestore.snapshot(
      [name, conversationName] + session.userNames(users)
        + session.inboxNames(of: former.recipients, conversationName.id)
    )
    guard let document = snapshot[name] else { return nil }
    let message = Message(document).distrusting(eventSnapshot)
    guard message.hasContent else { return nil }
    let readers = Readers(
      message: message,
      conversation: try former.remaining(in: snapshot[conversationName], of: message),
      profiles: try session.profiles(of: users, in: snapshot)
    )
    let originals = translatedTexts(of: readers)
    let others = Set(originals.requests.values).subtracting(answers.keys)
    let texts = originals.translated(
      answers.merging(try await cached(others)) { first, _ in first }
    )
    let states = try await states(of: readers)
    guard let newest = try await newestMessages(of: readers, since: snapshot) else { return nil }
    // The inboxes show the original text until its translation arrives.
    let writes = try writes(of: newest, for: readers, texts, since: snapshot)
    guard try await write(writes, of: readers, texts) else { return nil }
    return View(readers: readers, texts: texts, newest: newest, states: states)
  }

  /// Returns the answers to those requests that need no call of the provider.
  private func cached(
    _ requests: Set<Translator.Request>
  ) async throws(StatusError) -> Translator.Answers {
    guard !requests.isEmpty else { return [:] }
    let known = try await firestore.snapshot(try entries(of: requests))
    var cached: Set<Translator.Request> = []
    for request in requests
    where try translator.needsNoProvider(for: [request], in: known) {
      cached.insert(request)
    }
    return try await translator.translate(cached, known: known)
  }

  private func sendPushes(_ view: View, _ claim: Claim) async throws(StatusError) -> FunctionOutcome
  {
    let (message, conversation) = (view.readers.message, view.readers.conversation)
    let pushes = Pushes(
      of: message,
      in: conversation,
      from: message.senderID.flatMap { view.readers.profiles[$0] },
      to: view.states,
      texts: view.texts,
      newest: view.newest,
      ledger: claim.ledger,
      at: session.context.sources.now()
    )
    if pushes.invalidQuietHours > 0 {
      session.context.logger.notice(
        "ignored invalid quiet hours",
        metadata: ["recipients": "\(pushes.invalidQuietHours)"]
      )
    }
    return try await send(
      pushes,
      claim: claim,
      newest: view.newest,
      message: message.document.name,
      conversation: conversation
    )
  }
}
