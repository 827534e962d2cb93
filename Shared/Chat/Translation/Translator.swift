package import Core
package import FirestoreClient
package import FirestoreModel
import FunctionRuntime
import Logging
package import Providers

/// The translator of texts, which calls the provider only if the cache has no translation.
package struct Translator: Sendable {
  /// A text and its languages as providers distinguish them: readers of `pt-BR` and `pt` make the
  /// same request.
  package struct Request: Hashable, Sendable {
    package let text: String
    package let source: Language
    package let target: Language

    package init(_ text: String, from source: Language, to target: Language) {
      self.text = text
      self.source = source.asTranslated
      self.target = target.asTranslated
    }

    /// Returns a Boolean value that indicates whether two requests are equal. Their texts are
    /// compared by bytes, like their keys.
    package static func == (one: Request, other: Request) -> Bool {
      one.source == other.source && one.target == other.target
        && one.text.hasSameBytes(as: other.text)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(target)
      hasher.combine(ByteKey(text))
    }

    fileprivate var key: String { ContentHash.translation(of: text, from: source, to: target) }
  }

  /// The maximum length of a text, in code points.
  ///
  /// A longer text isn't translated: with 5,000 characters a request, it would take more than six
  /// requests.
  package static let maximumCharacters = 30_000

  /// Returns a Boolean value that indicates whether a text has a letter outside of links, mentions,
  /// code, numbers and other protected spans.
  ///
  /// Only such a text differs between languages.
  package static func hasWords(_ text: String) -> Bool {
    // Most texts are plain, and `isPlain` is fast. Each text is checked several times.
    isPlain(text) || !SegmentedText(text, maximumCharacters: .max).segments.isEmpty
  }

  /// Returns a Boolean value that indicates whether a text has only letters, spaces and signs that
  /// don't occur in a link, mention, code or number.
  private static func isPlain(_ text: String) -> Bool {
    var hasLetter = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        hasLetter = true
      case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "?"): break
      default: return false
      }
    }
    return hasLetter
  }

  package typealias Answers = [Request: Result<Answer, StatusError>]

  private let firestore: FirestoreClient
  private let leases: Leases
  private let provider: any TranslationProvider
  private let context: FunctionContext
  private let prices: PriceTable
  private let spending: Spending?
  private let headStart: Duration

  /// Creates a translator.
  ///
  /// - Parameters:
  ///   - spending: the limits, or `nil` for none.
  ///   - headStart: the delay before the provider is called. In this time, a more urgent invocation
  ///     with the same requests can take the leases. Otherwise, the urgent invocation would wait
  ///     for this one, and would notice the result late.
  package init(
    session: ChatSession,
    provider: any TranslationProvider,
    spending: Spending? = nil,
    headStart: Duration = .zero
  ) {
    self.headStart = headStart
    firestore = session.firestore
    leases = session.leases
    context = session.context
    prices = session.prices
    self.provider = provider
    self.spending = spending
  }

  /// The documents of one request: cache entry, failure and lease.
  private struct Place {
    var entry: DocumentName
    /// The name of the failure's document.
    ///
    /// The document is read only if the cache has no entry and the lease can't be acquired at once.
    /// Usually the document doesn't exist.
    var failure: DocumentName
    var lease: DocumentName
  }

  /// The documents of a request whose lease this invocation holds.
  private struct Claimed: Sendable {
    var entry: DocumentName
    var failure: DocumentName
    /// A Boolean value that indicates whether an expired failure is stored.
    var hasFailed: Bool
    /// The copies of an invalid entry, which the new one replaces.
    var formerCopies: [DocumentName]
    var lease: Lease
  }

  /// Translates every request from the cache or with the provider.
  ///
  /// One read gets everything that is in the cache. One commit takes the leases for the rest. Then
  /// all provider calls run concurrently: one for each pair of languages, with as many texts as
  /// fit. Links, numbers and similar spans stay unchanged, which may require a second call: see
  /// `Segment`. For a text that another invocation is translating, this invocation waits and
  /// reads the cache.
  ///
  /// A new translation isn't stored yet. Store it at once, since other invocations may wait for it:
  /// commit the writes of `use(by:)`, or call `keep(_:)`.
  ///
  /// - Parameter known: a snapshot of the documents that have been read already, which may include
  ///   cache entries.
  /// - Returns: a translation or an error for each request.
  /// - Throws: Firestore's error if the cache can't be read or a lease can't be taken.
  package func translate(
    _ requests: Set<Request>,
    known: Snapshot? = nil
  ) async throws(StatusError) -> Answers {
    var open = try places(of: requests)
    guard !open.isEmpty else { return [:] }
    var answers: Answers = [:]
    var polling = leases.polling(until: provider.deadline)
    // Usually the text is in the cache, or no other invocation is translating it. So leases are
    // read only in later rounds.
    let entries = open.values.map(\.entry)
    var snapshot =
      if let known {
        try await firestore.extended(known, by: entries)
      } else {
        try await firestore.snapshot(entries)
      }
    var headStart = headStart
    while true {
      for (request, answer) in kept(of: open, in: snapshot) {
        answers[request] = answer
        open[request] = nil
      }
      guard !open.isEmpty else { return answers }
      if headStart > .zero {
        // A second read is unnecessary: if another invocation was faster, taking the lease fails.
        try? await Task.sleep(for: headStart)
        headStart = .zero
      }
      let free = open.filter { leases.timeLeft(of: $0.value.lease, in: snapshot) == nil }
      if !free.isEmpty,
        let held = try await leases.acquire(
          free.values.map(\.lease),
          ifUnchanged: free.values.flatMap { [$0.entry, $0.failure] },
          since: snapshot
        )
      {
        answers.merge(await ask(free, held, since: snapshot)) { _, new in new }
        for request in free.keys { open[request] = nil }
        guard !open.isEmpty else { return answers }
        // If these translations weren't stored now, two invocations could wait for each other
        // (deadlock).
        answers = try await keep(answers)
      }
      guard await polling.pause() else { break }
      snapshot = try await firestore.snapshot(
        open.values.flatMap { [$0.entry, $0.failure, $0.lease] }
      )
    }
    for request in open.keys {
      answers[request] = .failure(
        StatusError(.unavailable, "another invocation has not finished translating the text")
          .asOutage
      )
    }
    return answers
  }

  private func places(of requests: Set<Request>) throws(StatusError) -> [Request: Place] {
    var places: [Request: Place] = [:]
    for request in requests {
      places[request] = Place(
        entry: try entry(of: request),
        failure: try failure(of: request),
        lease: try leases.name(request.key)
      )
    }
    return places
  }

  /// Returns the name of a request's cache entry.
  package func entry(of request: Request) throws(StatusError) -> DocumentName {
    try firestore.name("translations/\(request.key)")
  }

  /// Returns the name of a request's failure document.
  package func failure(of request: Request) throws(StatusError) -> DocumentName {
    try firestore.name("\(FailedTranslation.collection)/\(request.key)")
  }

  /// A Boolean value that indicates whether the provider may be the emulator, whose translations
  /// are not valid for other providers.
  package var mayBeOffline: Bool { provider.origin.mayBeOffline }

  /// Stores new translations without counting a use. They expire after an hour, unless they are
  /// used.
  ///
  /// - Returns: the same answers, marked as stored.
  @discardableResult
  package func keep(_ answers: Answers) async throws(StatusError) -> Answers {
    let claims = answers.values.compactMap { (try? $0.get())?.claim }
    if !claims.isEmpty {
      try await firestore.commit(
        claims.flatMap { $0.store(for: CachedTranslation.timeToLiveUnused) + $0.end }
      )
    }
    return answers.mapValues { result in
      result.map { answer in
        guard let claim = answer.claim else { return answer }
        var answer = answer
        var stored = claim.translation
        stored.isUnused = true
        let fields = claim.fields(for: CachedTranslation.timeToLiveUnused)
        answer.cached = (stored, fields, claim.time)
        answer.claim = nil
        return answer
      }
    }
  }

  /// Returns a Boolean value that indicates whether a snapshot has cache entries for all requests.
  package func needsNoProvider(
    for requests: Set<Request>,
    in snapshot: Snapshot
  ) throws(StatusError) -> Bool {
    for request in requests {
      guard cached(request, try entry(of: request), in: snapshot) != nil else { return false }
    }
    return true
  }

  private func cached(
    _ request: Request,
    _ entry: DocumentName,
    in snapshot: Snapshot
  ) -> Answer? {
    guard let document = snapshot[entry],
      let cached = CachedTranslation(
        document,
        sourceText: request.text,
        origin: provider.origin,
        now: snapshot.readTime
      )
    else { return nil }
    return Answer(cached, in: document, of: request, time: snapshot.readTime)
  }

  /// Returns the translations in the cache, and the failures that other invocations have stored.
  private func kept(of open: [Request: Place], in snapshot: Snapshot) -> Answers {
    var answers: Answers = [:]
    for (request, place) in open {
      if let cached = cached(request, place.entry, in: snapshot) {
        answers[request] = .success(cached)
        context.record.record {
          $0.cacheHits += 1
          $0.serve(translations: 1)
          $0.add(engine: cached.engine)
        }
      } else if let failure = snapshot[place.failure].flatMap({
        FailedTranslation($0, of: provider.origin, now: snapshot.readTime)
      }) {
        answers[request] = .failure(failure.error)
      }
    }
    return answers
  }

  // MARK: Provider calls

  private func ask(
    _ places: [Request: Place],
    _ held: [DocumentName: Lease],
    since snapshot: Snapshot
  ) async -> Answers {
    do throws(StatusError) {
      try await spending?.admit(places.count)
    } catch {
      await leases.release(Array(held.values))
      return places.mapValues { _ in .failure(error.asOutage) }
    }
    let cost = context.record.usage.costMicros
    let answers = await askProvider(places, held, since: snapshot)
    await spending?.charge(context.record.usage.costMicros - cost)
    return answers
  }

  private func askProvider(
    _ places: [Request: Place],
    _ leases: [DocumentName: Lease],
    since snapshot: Snapshot
  ) async -> Answers {
    let pairs = Dictionary(grouping: places.keys) { [$0.source, $0.target] }
    return await withTaskGroup(of: Answers.self) { group in
      for requests in pairs.values {
        var claimed: [Request: Claimed] = [:]
        for request in requests {
          guard let place = places[request], let lease = leases[place.lease] else { continue }
          claimed[request] = Claimed(
            entry: place.entry,
            failure: place.failure,
            hasFailed: snapshot[place.failure] != nil,
            formerCopies: snapshot[place.entry].map { request.copies(of: $0) } ?? [],
            lease: lease
          )
        }
        group.addTask { [claimed] in await ask(pair: claimed) }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  /// Translates the requests of one pair of languages with the provider.
  ///
  /// - Parameter places: the documents of each request.
  private func ask(pair places: [Request: Claimed]) async -> Answers {
    guard let (first, place) = places.first else { return [:] }
    context.record.record { $0.cacheMisses += places.count }
    let translator = TextTranslator(
      provider: provider,
      source: first.source,
      target: first.target,
      deadline: place.lease.deadline,
      record: context.record,
      prices: prices
    )
    // The texts are sorted, so that the same requests always make the same calls.
    let translations = await translator.translate(
      places.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    )
    var answers: Answers = [:]
    for (request, place) in places {
      answers[request] = translations[request.text]?.map { translation in
        let claim = PendingEntry(
          request: request,
          translation: CachedTranslation(text: translation.text, engine: translation.engine),
          entry: place.entry,
          origin: provider.origin,
          lease: place.lease,
          formerCopies: place.formerCopies,
          cleanUp: place.hasFailed ? [Write(.delete(place.failure))] : []
        )
        return Answer(claim)
      }.mapError(\.asOutage)
    }
    let failed = places.filter { (try? answers[$0.key]?.get()) == nil }
    context.record.record { $0.serve(translations: places.count - failed.count) }
    await giveUp(failed, answers)
    return answers
  }

  /// Releases the leases of failed requests, and stores the failures that would repeat.
  ///
  /// `INVALID_ARGUMENT`, for example for an unknown pair of languages, is the error of a whole
  /// provider call, although one text may have caused it. So it is stored only if the call had a
  /// single request.
  private func giveUp(_ places: [Request: Claimed], _ answers: Answers) async {
    var writes: [Write] = []
    for (request, place) in places {
      guard case .failure(let error) = answers[request], let failure = FailedTranslation(error),
        error.code != .invalidArgument || answers.count == 1
      else { continue }
      writes.append(
        failure.write(
          to: place.failure,
          from: request.source,
          to: request.target,
          of: provider.origin,
          now: place.lease.clock.time
        )
      )
    }
    guard !writes.isEmpty else { return await leases.release(places.values.map(\.lease)) }
    do throws(StatusError) {
      try await firestore.commit(places.values.map(\.lease.release) + writes)
    } catch {
      // If the commit fails, nothing is stored, and the leases expire.
      context.logger.notice(
        "failed translation not stored",
        metadata: ["error": "\(error.message)"]
      )
    }
  }
}
