import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The removal of an edited or deleted text from the translation cache.
///
/// Each entry of the cache counts its uses by messages:
///
/// - An entry with at most one use left is deleted.
/// - An entry with a few uses loses one.
/// - An entry with many uses stays as it is, because its count isn't exact.
///
/// A message's `translationMeta` records which cache entries the message has used. Clients can
/// write that field, too. So translations that a message had at its creation don't count as uses,
/// and at most one use of each entry ends. The database's security rules must prevent other forged
/// uses. The record of a failed translation is deleted even if other messages use it: the next
/// request fails again and stores the record again.
///
/// The commit that ends a use also records it in a ledger. So a use ends only once, even if events
/// arrive repeatedly or out of order. The removal calls no provider and needs no consent.
struct TextRelease {
  private let session: ChatSession
  private let translator: Translator

  init(_ session: ChatSession, _ translator: Translator) {
    self.session = session
    self.translator = translator
  }

  /// The maximum number of retries after another invocation changed an entry.
  private static let maximumConflicts = 20
  /// The maximum number of entries in one commit, which also deletes their copies and writes the
  /// ledger.
  ///
  /// A commit can write 500 documents.
  private static let maximumPlaces = 499 / (1 + CodePair.maximumListed)

  /// Ends a message's uses of the cache entries for its former text.
  ///
  /// - Parameter former: the message before its text was edited or deleted.
  /// - Returns: the number of entries that were deleted or lost a use.
  func release(_ former: Message) async throws(StatusError) -> Int {
    let times = (former.document.createTime, former.document.updateTime)
    // If the former message was never updated, it has only the client's translations.
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
      if case .delete = write.operation, let request = place.uses.first?.request {
        writes += request.copies(of: document).map { Write(.delete($0)) }
      }
      ended[place.name] = times
    }
    if !ended.isEmpty {
      writes.append(ledger.write(ended, message: former.document.name, now: snapshot.readTime))
    }
    return writes
  }
}

/// A message's use of a cached translation or of a recorded failure, from a given time on.
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
