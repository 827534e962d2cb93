import Chat
import FirestoreModel
import FirestoreREST
import RPCStatus

/// Takes a text that was edited or deleted out of the cache, where nobody else uses it.
///
/// An entry with one use left, or none, is deleted; of a few, one is taken away; of many, nobody
/// counts. Which uses a message has had, its `translationMeta` tells: those are counted, and no other.
/// What ends a use is noted in the ledger, `functionEvents/translateMessage_{key}`, in the same
/// commit: however often the event comes, and in whichever order, a use ends once. It needs no
/// translator, and asks nobody's consent.
struct TextRelease {
  private let session: ChatSession
  private let translator: Translator

  init(_ session: ChatSession, _ translator: Translator) {
    self.session = session
    self.translator = translator
  }

  /// Events are redelivered for a day at most.
  private static let ledgerLifetime = Duration.seconds(7 * 86_400)
  /// How often entries are read again because somebody used them meanwhile.
  private static let maximumConflicts = 20
  /// How many uses end in one commit, which has three writes for each at most.
  private static let maximumUses = 100

  /// - Parameter former: the message as it was before its text went.
  /// - Returns: how many entries were deleted or have a use less.
  func release(_ former: Message) async throws(StatusError) -> Int {
    let uses = TranslationUse.uses(of: former)
    var released = 0
    for start in stride(from: 0, to: uses.count, by: Self.maximumUses) {
      let end = min(start + Self.maximumUses, uses.count)
      released += try await release(Array(uses[start..<end]), of: former)
    }
    return released
  }

  private func release(
    _ uses: [TranslationUse],
    of former: Message
  ) async throws(StatusError) -> Int {
    var places: [Place] = []
    for use in uses { places.append(try place(of: use, former)) }
    for attempt in 0..<Self.maximumConflicts {
      let snapshot = try await session.firestore.snapshot(
        [former.document.name] + Set(places.flatMap(\.names))
      )
      let writes = writes(places, former, in: snapshot)
      guard !writes.isEmpty else { return 0 }
      do throws(StatusError) {
        try await session.firestore.commit(writes)
        return Set(writes.map(\.name)).intersection(places.map(\.entry)).count
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    throw StatusError(.aborted, "the cache's entries kept changing")
  }

  // MARK: One use

  /// A use and the documents that know of it.
  private struct Place {
    var use: TranslationUse
    var entry: DocumentName
    var failure: DocumentName
    var ledger: DocumentName

    var names: [DocumentName] { use.isFailure ? [failure] : [entry, ledger] }
  }

  private func place(of use: TranslationUse, _ former: Message) throws(StatusError) -> Place {
    let entry = try translator.entry(of: use.request)
    let key = ContentHash.document("\(former.document.name.path)|\(entry.id)|\(use.time)")
    return Place(
      use: use,
      entry: entry,
      failure: try translator.failure(of: use.request),
      ledger: try session.firestore.name("functionEvents/translateMessage_\(key)")
    )
  }

  private func writes(
    _ places: [Place],
    _ former: Message,
    in snapshot: Snapshot
  ) -> [Write] {
    // The text may be there again, with the translations that it had.
    let current = snapshot[former.document.name].map(Message.init)
    let going = Set(current.map { TranslationUse.uses(of: $0) } ?? [])
    var writes: [Write] = []
    var ended: [DocumentName: [DocumentName]] = [:]
    for place in places where !going.contains(place.use) {
      if place.use.isFailure {
        if snapshot[place.failure] != nil { writes.append(Write(.delete(place.failure))) }
      } else if snapshot[place.ledger] == nil {
        ended[place.entry, default: []].append(place.ledger)
      }
    }
    for (name, ledgers) in ended {
      guard let entry = snapshot[name],
        let write = UsageCount.ending(ledgers.count, of: entry, former.text)
      else { continue }
      writes.append(write)
      writes += ledgers.map { ledgerWrite($0, former, now: snapshot.readTime) }
    }
    return writes
  }

  private func ledgerWrite(
    _ name: DocumentName,
    _ former: Message,
    now: Timestamp
  ) -> Write {
    let fields: Fields = [
      "function": "translateMessage",
      "document": .string(former.document.name.path.description),
      "expiresAt": .timestamp(now.advanced(by: Self.ledgerLifetime)),
    ]
    return Write(.update(Document(name: name, fields: fields)), currentDocument: .exists(false))
  }
}

/// That a message showed a translation, or why it had none, from a time on.
struct TranslationUse: Hashable {
  var request: Translator.Request
  /// When the translation was written to the message: for readers of two codes at once, it is one use.
  var time: Timestamp
  var isFailure: Bool

  /// Those of a message's text, in an order of their own.
  static func uses(of message: Message) -> [TranslationUse] {
    guard let source = try? message.language(sender: nil) else { return [] }
    let uses = message.translationOutcomes.compactMap { outcome in
      (try? Language(outcome.code)).map {
        TranslationUse(
          request: Translator.Request(message.text, from: source, to: $0),
          time: outcome.time,
          isFailure: outcome.isFailure
        )
      }
    }
    return Set(uses).sorted {
      ($0.request.target.code, $0.time) < ($1.request.target.code, $1.time)
    }
  }
}
