import FirestoreClient
package import FirestoreModel
import Providers

extension Translator {
  package struct Answer: Sendable {
    package var text: String
    package var engine: String
    /// Where the cache keeps it.
    package var entry: DocumentName
    /// The entry as it was read, or just stored; nil if it is new.
    var cached: (entry: CachedTranslation, time: Timestamp)?
    /// If it is new: what stores it, and the lease to end then.
    var claim: Claim?

    /// One that is in the cache.
    ///
    /// - Parameter time: when it was read, by Firestore's clock.
    init(_ cached: CachedTranslation, at entry: DocumentName, time: Timestamp) {
      text = cached.text
      engine = cached.engine
      self.entry = entry
      self.cached = (cached, time)
    }

    init(_ claim: Claim, at entry: DocumentName) {
      text = claim.translation.text
      engine = claim.translation.engine
      self.entry = entry
      self.claim = claim
    }

    /// Store it in the cache if it is new, and count a use.
    ///
    /// A use is a message that shows it, or a call that is answered with it. For a message, commit
    /// them together with it and on condition that the message is as it was read: then it is counted
    /// once, however often the event is delivered. The commit fails with `NOT_FOUND` if the entry has
    /// been removed.
    ///
    /// - Parameter user: the message's path, or what else tells one use from another.
    /// - Returns: none, if this use needn't be written: see `UsageCount`.
    package func use(by user: String) -> [Write] {
      if let claim {
        var store = claim.store(for: CachedTranslation.timeToLive)
        store.updateTransforms = [UsageCount.adding(1)]
        return [store] + claim.end
      }
      guard let (cached, time) = cached else { return [] }
      if cached.isUnused {
        var first = CachedTranslation.prolonged(entry, now: time)
        first.currentDocument = .exists(true)
        first.updateTransforms = [UsageCount.adding(1)]
        return [first]
      }
      let increment = UsageCount.increment(at: cached.usageCount, of: entry, by: user)
      guard increment > 0 else { return [] }
      return [
        Write(
          .update(Document(name: entry, fields: [:])),
          updateMask: FieldMask([]),
          updateTransforms: [UsageCount.adding(increment)],
          currentDocument: .exists(true)
        )
      ]
    }
  }

  /// What is new, and the right to store it.
  struct Claim: Sendable {
    var request: Request
    var translation: CachedTranslation
    var entry: DocumentName
    var origin: TranslationOrigin
    var lease: Lease
    /// Of a failure that was kept and is over.
    var cleanUp: [Write]

    /// When it was stored, about, by Firestore's clock.
    var time: Timestamp { lease.clock.time }
    var end: [Write] { [lease.end] + cleanUp }

    func store(for lifetime: Int64) -> Write {
      translation.write(
        to: entry,
        sourceText: request.text,
        from: request.source,
        to: request.target,
        origin: origin,
        now: time,
        lifetime: lifetime
      )
    }
  }
}
