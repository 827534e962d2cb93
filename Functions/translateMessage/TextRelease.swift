import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The removal of an edited or deleted text from the translation cache.
///
/// - An entry with at most one use left is deleted.
/// - An entry with a few uses loses one.
/// - An entry with many uses stays as it is: its uses are no longer counted.
///
/// A message's `translationMeta` tells which uses it has had. Clients can write that field, too:
/// therefore translations that a message had when it was created don't count as uses, and at most
/// one use of each entry ends. The database's security rules must prevent other false claims. An
/// entry for a failure may be deleted without need: the next request finds the failure again.
///
/// The same commit records the end of a use in a ledger. A use therefore ends once, however often
/// and in which order its events arrive. The removal needs no translator and no consent.
struct TextRelease {
  private let session: ChatSession
  private let translator: Translator

  init(_ session: ChatSession, _ translator: Translator) {
    self.session = session
    self.translator = translator
  }

  /// The maximum number of retries after another invocation changed an entry.
  private static let maximumConflicts = 20
  /// The maximum number of entries in one commit, which also writes the ledger.
  private static let maximumPlaces = 300

  /// Ends the uses that a message's former text had.
  ///
  /// - Parameter former: the message before its text was edited or deleted.
  /// - Returns: the number of entries that were deleted or lost a use.
  func release(_ former: Message) async throws(StatusError) -> Int {
    let times = (former.document.createTime, former.document.updateTime)
    // Only its client has written the message so far.
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
    throw StatusError(.aborted, "the cache's entries kept changing while their uses were removed")
  }

  // MARK: Uses

  /// A document that counts uses: an entry of the cache, or the record of a failure.
  private struct Place {
    var name: DocumentName
    var uses: [TranslationUse]
  }

  /// Returns the documents of the uses, sorted by path: the same uses always give the same writes.
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
    // A later edit may have restored the text and its translations.
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

/// The use of a cached translation, or of a recorded failure, by a message from a time on.
struct TranslationUse: Hashable {
  var request: Translator.Request
  /// The time at which the translation was written to the message.
  ///
  /// Two language codes that got the translation in one write count as one use.
  var time: Timestamp
  var isFailure: Bool

  /// Returns the uses of a message's text, sorted by target language and time.
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
