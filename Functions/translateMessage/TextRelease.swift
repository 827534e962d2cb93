import Chat
import FirestoreModel
import FirestoreREST
import RPCStatus

/// Takes a text that was edited or deleted out of the cache, where nobody else uses it.
///
/// An entry with one use left, or none, is deleted; of a few, one is taken away; of many, nobody
/// counts. Which uses a message has had, its `translationMeta` tells: those are counted, and no other.
/// That a use has ended is noted in the same commit: however often the event comes, and in whichever
/// order, a use ends once. It needs no translator, and asks nobody's consent.
struct TextRelease {
  private let session: ChatSession
  private let translator: Translator

  init(_ session: ChatSession, _ translator: Translator) {
    self.session = session
    self.translator = translator
  }

  /// How often entries are read again because somebody used them meanwhile.
  private static let maximumConflicts = 20
  /// How many uses end in one commit, which has a write for each and one for the ledger.
  private static let maximumUses = 300

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
    for use in uses { places.append(try place(of: use)) }
    let ledgerName = try session.firestore.name(ReleaseLedger.path(of: former.document.name))
    for attempt in 0..<Self.maximumConflicts {
      let snapshot = try await session.firestore.snapshot(
        [former.document.name, ledgerName] + Set(places.map(\.name))
      )
      let ledger = ReleaseLedger(name: ledgerName, document: snapshot[ledgerName])
      let writes = writes(places, former, ledger, in: snapshot)
      guard !writes.isEmpty else { return 0 }
      do throws(StatusError) {
        try await session.firestore.commit(writes)
        return Set(writes.map(\.name)).intersection(places.map(\.name)).count
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    throw StatusError(.aborted, "the cache's entries kept changing")
  }

  // MARK: One use

  /// A use and the document that knows of it: the cache's entry, or what is kept of a failure.
  private struct Place {
    var use: TranslationUse
    var name: DocumentName
  }

  private func place(of use: TranslationUse) throws(StatusError) -> Place {
    Place(
      use: use,
      name: use.isFailure
        ? try translator.failure(of: use.request) : try translator.entry(of: use.request)
    )
  }

  private func writes(
    _ places: [Place],
    _ former: Message,
    _ ledger: ReleaseLedger,
    in snapshot: Snapshot
  ) -> [Write] {
    // The text may be there again, with the translations that it had.
    let current = snapshot[former.document.name].map(Message.init)
    let going = Set(current.map { TranslationUse.uses(of: $0) } ?? [])
    var writes: [Write] = []
    var ended: [DocumentName: [Timestamp]] = [:]
    for place in places where !going.contains(place.use) {
      if place.use.isFailure {
        if snapshot[place.name] != nil { writes.append(Write(.delete(place.name))) }
      } else if !ledger.contains(place.use.time, of: place.name) {
        ended[place.name, default: []].append(place.use.time)
      }
    }
    var noted: [DocumentName: [Timestamp]] = [:]
    for (name, times) in ended {
      guard let entry = snapshot[name],
        let write = UsageCount.ending(times.count, of: entry, former.text)
      else { continue }
      writes.append(write)
      noted[name] = times
    }
    if !noted.isEmpty {
      writes.append(ledger.write(noted, message: former.document.name, now: snapshot.readTime))
    }
    return writes
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
