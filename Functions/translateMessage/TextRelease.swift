import Chat
import Core
import FirestoreClient
import FirestoreModel

/// Takes a text that was edited or deleted out of the cache, where nobody else uses it.
///
/// An entry with one use left, or none, is deleted; of a few, one is taken away; of many, nobody
/// counts. Which uses a message has had, its `translationMeta` tells. Clients can write that too: what a
/// message had when it was created is no use, and of each entry one use ends at most; that no other
/// claims one is for the database's security rules. What is kept of a failure may go for nothing: it is
/// found out again.
///
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
  private static let maximumPlaces = 300

  /// - Parameter former: the message as it was before its text went.
  /// - Returns: how many entries were deleted or have a use less.
  func release(_ former: Message) async throws(StatusError) -> Int {
    let times = (former.document.createTime, former.document.updateTime)
    // Nobody but its client has written it yet.
    guard times.0 == nil || times.0 != times.1 else { return 0 }
    let places = try places(of: TranslationUse.uses(of: former))
    var released = 0
    for start in stride(from: 0, to: places.count, by: Self.maximumPlaces) {
      let end = min(start + Self.maximumPlaces, places.count)
      released += try await release(Array(places[start..<end]), of: former)
    }
    return released
  }

  private func release(
    _ places: [Place],
    of former: Message
  ) async throws(StatusError) -> Int {
    let ledgerName = try session.firestore.name(ReleaseLedger.path(of: former.document.name))
    for attempt in 0..<Self.maximumConflicts {
      let snapshot = try await session.firestore.snapshot(
        [former.document.name, ledgerName] + places.map(\.name)
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

  // MARK: Uses

  /// A document that knows of uses: the cache's entry, or what is kept of a failure.
  private struct Place {
    var name: DocumentName
    var uses: [TranslationUse]
  }

  /// In an order of their own, so that the same uses are always the same writes.
  private func places(of uses: [TranslationUse]) throws(StatusError) -> [Place] {
    var places: [DocumentName: Place] = [:]
    for use in uses {
      let name =
        use.isFailure
        ? try translator.failure(of: use.request) : try translator.entry(of: use.request)
      places[name, default: Place(name: name, uses: [])].uses.append(use)
    }
    return places.values.sorted { $0.name.path.description < $1.name.path.description }
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
    for place in places {
      let gone = place.uses.filter { !going.contains($0) }
      guard !gone.isEmpty, let document = snapshot[place.name] else { continue }
      if gone.contains(where: \.isFailure) {
        writes.append(Write(.delete(place.name)))
        continue
      }
      let times = gone.map(\.time).filter { !ledger.contains($0, of: place.name) }
      guard !times.isEmpty, let write = UsageCount.endingUse(of: document, former.text) else {
        continue
      }
      writes.append(write)
      ended[place.name] = times
    }
    if !ended.isEmpty {
      writes.append(ledger.write(ended, message: former.document.name, now: snapshot.readTime))
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
    let language = try? message.language(sender: nil)
    let uses = message.translationOutcomes.compactMap { outcome -> TranslationUse? in
      guard let source = outcome.source.map({ try? Language($0) }) ?? language,
        let target = try? Language(outcome.code)
      else { return nil }
      return TranslationUse(
        request: Translator.Request(message.text, from: source, to: target),
        time: outcome.time,
        isFailure: outcome.isFailure
      )
    }
    return Set(uses).sorted {
      ($0.request.target.code, $0.time) < ($1.request.target.code, $1.time)
    }
  }
}
