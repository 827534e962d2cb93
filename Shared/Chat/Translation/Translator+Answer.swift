import FirestoreClient
package import FirestoreModel
import Providers

extension Translator {
  package struct Answer: Sendable {
    package var text: String
    package var engine: String
    /// The name of the translation's cache entry.
    package var entry: DocumentName
    /// The cache entry and the time when it was read or stored, or `nil` for a new translation.
    var cached: (entry: CachedTranslation, time: Timestamp)?
    /// The write and the lease of a new translation, or `nil` for a cached one.
    var claim: PendingEntry?

    /// Creates an answer from the cache.
    ///
    /// - Parameter time: the time of the read by Firestore's clock.
    init(_ cached: CachedTranslation, at entry: DocumentName, time: Timestamp) {
      text = cached.text
      engine = cached.engine
      self.entry = entry
      self.cached = (cached, time)
    }

    init(_ claim: PendingEntry, at entry: DocumentName) {
      text = claim.translation.text
      engine = claim.translation.engine
      self.entry = entry
      self.claim = claim
    }

    /// Returns the writes that store a new translation in the cache and count a use.
    ///
    /// A use is a message that shows the translation, or a call that returns it. For a message,
    /// commit the writes together with the message, on condition that the message is unchanged.
    /// Then the use is counted once, even if the event is delivered repeatedly. The commit fails
    /// with `NOT_FOUND` if the entry has been removed.
    ///
    /// - Parameter user: the message's path, or another identifier of the use.
    /// - Returns: the writes, or none if `UsageCount` doesn't count this use.
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

  /// A new translation, and the lease under which it is stored.
  struct PendingEntry: Sendable {
    var request: Request
    var translation: CachedTranslation
    var entry: DocumentName
    var origin: TranslationOrigin
    var lease: Lease
    /// The writes that delete an expired failure.
    var cleanUp: [Write]

    /// The approximate time when the entry is stored, by Firestore's clock.
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
