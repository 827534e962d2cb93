package import Core
package import FirestoreClient
package import FirestoreModel
import FunctionRuntime
import Logging
package import Providers

/// Translates by the cache where it can and by the provider where it must.
package struct Translator: Sendable {
  /// A text and its languages as providers know them: readers of `pt-BR` and `pt` ask for the same.
  package struct Request: Hashable, Sendable {
    package let text: String
    package let source: Language
    package let target: Language

    package init(_ text: String, from source: Language, to target: Language) {
      self.text = text
      self.source = source.asTranslated
      self.target = target.asTranslated
    }

    /// Texts are equal if their bytes are, as their keys are.
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

  /// Longer texts, in code points, are left as they are: six requests are enough for a message.
  package static let maximumCharacters = 30_000

  /// Whether there is anything in a text that differs between languages: a letter outside of
  /// links, mentions, code, numbers and the like.
  package static func hasWords(_ text: String) -> Bool {
    // Most texts are plain, and asked about more than once.
    isPlain(text) || !SegmentedText(text, maximumCharacters: .max).segments.isEmpty
  }

  /// Whether there are only letters, spaces and signs that no link, mention, code or number has.
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

  /// - Parameters:
  ///   - spending: the limits; nil for none.
  ///   - headStart: how long what the cache hasn't is left to those who are wanted sooner, and ask
  ///     for the same at the same time: who waits for another finds out late that it is done.
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

  /// Where a request's answer is kept, and who may ask the provider for it.
  private struct Place {
    var entry: DocumentName
    /// Where it is kept that there is none. It is read only where the entry isn't there and the
    /// lease not to be had: most often there is nothing.
    var failure: DocumentName
    var lease: DocumentName
  }

  /// A place whose lease is had.
  private struct Claimed: Sendable {
    var entry: DocumentName
    var failure: DocumentName
    /// Whether there is a failure, which is over.
    var hasFailed: Bool
    var lease: Lease
  }

  /// Answers every request, each with a translation or its own failure.
  ///
  /// What the cache has costs one read for all. For the rest one commit takes the leases; then there
  /// is one provider call per pair of languages and as many texts as it takes, all at once. Links,
  /// numbers and the like come back as they are, which can take a second call: see `Segment`. What
  /// another invocation is asking for is waited for, and read from the cache.
  ///
  /// What is new is not stored yet: commit its `use`, or `keep` it. Do either at once, since others
  /// wait for it.
  ///
  /// - Parameter known: what was read already, the cache's entries perhaps among it.
  /// - Throws: only if the cache can't be read, or a lease not be taken.
  package func translate(
    _ requests: Set<Request>,
    known: Snapshot? = nil
  ) async throws(StatusError) -> Answers {
    var open = try places(of: requests)
    guard !open.isEmpty else { return [:] }
    var answers: Answers = [:]
    var polling = leases.polling(until: provider.deadline)
    // Most often the cache has it, or nobody is at work on it: leases are read only after that.
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
        // Not read again: whoever was quicker makes the lease fail.
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
        // Two that wait for each other would wait in vain.
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

  /// Where the cache keeps a request's answer, if it has one.
  package func entry(of request: Request) throws(StatusError) -> DocumentName {
    try firestore.name("translations/\(request.key)")
  }

  /// Where it is kept that a request can't be answered.
  package func failure(of request: Request) throws(StatusError) -> DocumentName {
    try firestore.name("\(FailedTranslation.collection)/\(request.key)")
  }

  /// Whether the provider may be the emulator's, whose answers count for no other.
  package var mayBeOffline: Bool { provider.origin.mayBeOffline }

  /// Stores what is new without counting a use: for an hour, unless somebody uses it.
  ///
  /// - Returns: the same answers, with nothing left to store.
  @discardableResult
  package func keep(_ answers: Answers) async throws(StatusError) -> Answers {
    let claims = answers.values.compactMap { (try? $0.get())?.claim }
    if !claims.isEmpty {
      try await firestore.commit(
        claims.flatMap { [$0.store(for: CachedTranslation.timeToLiveUnused)] + $0.end }
      )
    }
    return answers.mapValues { result in
      result.map { answer in
        guard let claim = answer.claim else { return answer }
        var answer = answer
        var stored = claim.translation
        stored.isUnused = true
        answer.cached = (stored, claim.time)
        answer.claim = nil
        return answer
      }
    }
  }

  /// Whether the provider needn't be asked, as far as a snapshot tells.
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
  ) -> CachedTranslation? {
    snapshot[entry].flatMap {
      CachedTranslation(
        $0,
        sourceText: request.text,
        origin: provider.origin,
        now: snapshot.readTime
      )
    }
  }

  /// The translations that the cache has, and the failures that others have found.
  private func kept(of open: [Request: Place], in snapshot: Snapshot) -> Answers {
    var answers: Answers = [:]
    for (request, place) in open {
      if let cached = cached(request, place.entry, in: snapshot) {
        answers[request] = .success(Answer(cached, at: place.entry, time: snapshot.readTime))
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

  // MARK: Asking

  private func ask(
    _ places: [Request: Place],
    _ held: [DocumentName: Lease],
    since snapshot: Snapshot
  ) async -> Answers {
    do throws(StatusError) {
      try await spending?.admit(places.count)
    } catch {
      await leases.release(Array(held.values))
      return places.mapValues { _ in .failure(error) }
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
            lease: lease
          )
        }
        group.addTask { [claimed] in await ask(pair: claimed) }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  /// - Parameter places: of requests for one pair of languages.
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
    // In an order of their own, so that the same requests are always the same calls.
    let translations = await translator.translate(
      places.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    )
    var answers: Answers = [:]
    for (request, place) in places {
      answers[request] = translations[request.text]?.map { translation in
        let claim = Claim(
          request: request,
          translation: CachedTranslation(text: translation.text, engine: translation.engine),
          entry: place.entry,
          origin: provider.origin,
          lease: place.lease,
          cleanUp: place.hasFailed ? [Write(.delete(place.failure))] : []
        )
        return Answer(claim, at: place.entry)
      }
    }
    let failed = places.filter { (try? answers[$0.key]?.get()) == nil }
    context.record.record { $0.serve(translations: places.count - failed.count) }
    await giveUp(failed, answers)
    return answers
  }

  /// Gives back the leases of what failed, and keeps the failures that would be the same next time.
  ///
  /// That a pair of languages isn't known is said of a request, and may be the fault of one text in
  /// it: it is kept only if the text was alone.
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
      // Nothing is kept then, and the leases end by themselves.
      context.logger.notice(
        "a failed translation was not kept",
        metadata: ["error": "\(error.message)"]
      )
    }
  }
}
