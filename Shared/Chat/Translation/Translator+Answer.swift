import FirestoreClient
package import FirestoreModel
import Providers

extension Translator {
  package struct Answer: Sendable {
    package var text: String
    package var engine: String
    let request: Request
    /// The name of the translation's cache entry.
    package var entry: DocumentName
    /// The cache entry, its fields, and the time when it was read or stored, or `nil` for a new
    /// translation.
    var cached: (entry: CachedTranslation, fields: Fields, time: Timestamp)?
    /// The write and the lease of a new translation, or `nil` for a cached one.
    var claim: PendingEntry?

    /// Creates an answer from the cache.
    ///
    /// - Parameter time: the time of the read by Firestore's clock.
    init(_ cached: CachedTranslation, in document: Document, of request: Request, time: Timestamp) {
      text = cached.text
      engine = cached.engine
      self.request = request
      entry = document.name
      self.cached = (cached, document.fields, time)
    }

    init(_ claim: PendingEntry) {
      text = claim.translation.text
      engine = claim.translation.engine
      request = claim.request
      entry = claim.entry
      self.claim = claim
    }

    /// Returns the codes among some for which the cache entry has no copy yet.
    package func codesWithoutCopy(among codes: [CodePair]) -> [CodePair] {
      CodePair.new(
        among: codes,
        besides: cached.map { CodePair.listed(in: $0.fields, of: request) } ?? [],
        of: request,
        translatedAs: text
      )
    }

    /// Returns the writes that store a new translation in the cache, count a use and copy the
    /// entry.
    ///
    /// A use is a message that shows the translation, or a call that returns it. For a message,
    /// commit the writes together with the message, on condition that the message is unchanged.
    /// Then the use is counted once, even if the event is delivered repeatedly. The commit fails
    /// with `NOT_FOUND` if the entry has been removed.
    ///
    /// - Parameters:
    ///   - user: the message's path, or another identifier of the use.
    ///   - codes: the codes to copy the entry for, from `codesWithoutCopy(among:)`.
    /// - Returns: the writes, or none if `UsageCount` doesn't count this use and there is nothing to
    ///   copy.
    package func use(by user: String, copyingFor codes: [CodePair] = []) -> [Write] {
      if let claim {
        var writes = claim.store(for: CachedTranslation.timeToLive, copyingFor: codes)
        writes[0].updateTransforms = [UsageCount.adding(1)]
        return writes + claim.end
      }
      guard let (cached, fields, time) = cached else { return [] }
      let changes = cached.isUnused ? CachedTranslation.prolonged(now: time) : [:]
      let increment =
        cached.isUnused ? 1 : UsageCount.increment(at: cached.usageCount, of: entry, by: user)
      var transforms = increment > 0 ? [UsageCount.adding(increment)] : []
      if !codes.isEmpty { transforms.append(CodePair.transform(listing: codes)) }
      guard !transforms.isEmpty else { return [] }
      let write = Write(
        .update(Document(name: entry, fields: changes)),
        updateMask: FieldMask(changes.keys.sorted().map { FieldPath($0) }),
        updateTransforms: transforms,
        currentDocument: .exists(true)
      )
      let current = fields.merging(changes) { _, new in new }
      return [write] + codes.compactMap { $0.copy(current, of: entry, request) }
    }
  }

  /// A new translation, and the lease under which it is stored.
  struct PendingEntry: Sendable {
    var request: Request
    var translation: CachedTranslation
    var entry: DocumentName
    var origin: TranslationOrigin
    var lease: Lease
    /// The copies of the entry that this one replaces.
    var formerCopies: [DocumentName]
    /// The writes that delete an expired failure.
    var cleanUp: [Write]

    /// The approximate time when the entry is stored, by Firestore's clock.
    var time: Timestamp { lease.clock.time }
    var end: [Write] { [lease.end] + cleanUp }

    func fields(for lifetime: Int64) -> Fields {
      translation.fields(
        sourceText: request.text,
        from: request.source,
        to: request.target,
        origin: origin,
        now: time,
        lifetime: lifetime
      )
    }

    /// Returns the writes of the entry, its copies and the deletion of its former ones, in this
    /// order.
    func store(for lifetime: Int64, copyingFor codes: [CodePair] = []) -> [Write] {
      let fields = fields(for: lifetime)
      let listed = fields.merging(CodePair.fields(listing: codes)) { _, new in new }
      let copies = codes.compactMap { $0.copy(fields, of: entry, request) }
      let former = Set(formerCopies).subtracting(copies.map(\.name)).sorted { $0.id < $1.id }
      return [CachedTranslation.write(listed, to: entry)] + copies
        + former.map { Write(.delete($0)) }
    }
  }
}
