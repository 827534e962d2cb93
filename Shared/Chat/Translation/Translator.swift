package import FirestoreModel
import FirestoreREST
import FunctionRuntime
import Leases
package import Providers
package import RPCStatus

/// Translates by the cache where it can and by the provider where it must.
package struct Translator: Sendable {
  package struct Request: Hashable, Sendable {
    package var text: String
    package var source: Language
    package var target: Language

    package init(_ text: String, from source: Language, to target: Language) {
      self.text = text
      self.source = source
      self.target = target
    }
  }

  package struct Answer: Sendable {
    package var text: String
    package var engine: String
    package var isCached: Bool
    /// Where the cache keeps it.
    package var entry: DocumentName
    /// If it is new: what stores it, and the lease to end then.
    fileprivate var claim: Claim?

    package init(text: String, engine: String, isCached: Bool, entry: DocumentName) {
      self.text = text
      self.engine = engine
      self.isCached = isCached
      self.entry = entry
    }

    /// Store it in the cache if it is new, and count one use.
    ///
    /// A use is a message that shows it, or a call that is answered with it. For a message, commit
    /// them together with it and on condition that the message is as it was read: then it is counted
    /// once, however often the event is delivered.
    package var use: [Write] {
      var count =
        claim?.store
        ?? Write(.update(Document(name: entry, fields: [:])), updateMask: FieldMask([]))
      count.updateTransforms = [FieldTransform(FieldPath("usageCount"), .increment(1))]
      return [count, claim?.lease.end].compactMap(\.self)
    }
  }

  fileprivate struct Claim: Sendable {
    var store: Write
    var lease: Lease
  }

  /// Longer texts, in code points, are left as they are: six requests are enough for a message.
  package static let maximumCharacters = 30_000

  /// Whether there is anything in a text that differs between languages: a letter outside of
  /// links, mentions, code, numbers and the like.
  package static func hasWords(_ text: String) -> Bool {
    !SegmentedText(text, maximumCharacters: .max).segments.isEmpty
  }

  package typealias Answers = [Request: Result<Answer, StatusError>]

  private let firestore: FirestoreClient
  private let leases: Leases
  private let provider: any TranslationProvider
  private let context: FunctionContext
  private let prices: PriceTable
  private let headStart: Duration

  /// - Parameter headStart: how long what the cache hasn't is left to those who are wanted sooner, and
  ///   ask for the same at the same time: who waits for another finds out late that it is done.
  package init(
    session: ChatSession,
    provider: any TranslationProvider,
    headStart: Duration = .zero
  ) {
    self.headStart = headStart
    firestore = session.firestore
    leases = session.leases
    context = session.context
    prices = session.prices
    self.provider = provider
  }

  /// Where a request's answer is kept, and who may ask the provider for it.
  private struct Place {
    var entry: DocumentName
    var lease: DocumentName
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
  /// - Throws: only if the cache can't be read, or a lease not be taken.
  package func translate(_ requests: Set<Request>) async throws(StatusError) -> Answers {
    var open: [Request: Place] = [:]
    for request in requests {
      let key = ContentHash.translation(
        of: request.text,
        from: request.source,
        to: request.target
      )
      open[request] = Place(
        entry: try firestore.name("translations/\(key)"),
        lease: try leases.name(key)
      )
    }
    guard !open.isEmpty else { return [:] }
    var answers: Answers = [:]
    var polling = leases.polling(until: provider.deadline)
    // Most often the cache has it, or nobody is at work on it: leases are read only after that.
    var snapshot = try await firestore.snapshot(open.values.map(\.entry))
    var headStart = headStart
    while true {
      for (request, answer) in cached(open, in: snapshot) {
        answers[request] = .success(answer)
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
          ifUnchanged: free.values.map(\.entry),
          since: snapshot
        )
      {
        answers.merge(await ask(free, held)) { _, new in new }
        for request in free.keys { open[request] = nil }
        guard !open.isEmpty else { return answers }
        // Two that wait for each other would wait in vain.
        answers = try await keep(answers)
      }
      guard await polling.pause() else { break }
      snapshot = try await firestore.snapshot(open.values.flatMap { [$0.entry, $0.lease] })
    }
    for request in open.keys {
      answers[request] = .failure(
        StatusError(.unavailable, "another invocation has not finished translating the text")
      )
    }
    return answers
  }

  /// Stores what is new without counting a use.
  ///
  /// - Returns: the same answers, with nothing left to store.
  @discardableResult
  package func keep(_ answers: Answers) async throws(StatusError) -> Answers {
    let claims = answers.values.compactMap { (try? $0.get())?.claim }
    if !claims.isEmpty {
      try await firestore.commit(claims.flatMap { [$0.store, $0.lease.end] })
    }
    return answers.mapValues { result in
      result.map { answer in
        var answer = answer
        answer.claim = nil
        return answer
      }
    }
  }

  private func cached(_ open: [Request: Place], in snapshot: Snapshot) -> [Request: Answer] {
    var answers: [Request: Answer] = [:]
    for (request, place) in open {
      guard let document = snapshot[place.entry],
        let cached = CachedTranslation(
          document,
          sourceText: request.text,
          now: snapshot.readTime
        )
      else { continue }
      answers[request] = Answer(
        text: cached.text,
        engine: cached.engine,
        isCached: true,
        entry: place.entry
      )
      context.record.record {
        $0.cacheHits += 1
        $0.add(engine: cached.engine)
      }
    }
    return answers
  }

  // MARK: Asking

  private func ask(_ places: [Request: Place], _ leases: [DocumentName: Lease]) async -> Answers {
    let pairs = Dictionary(grouping: places.keys) { [$0.source, $0.target] }
    return await withTaskGroup(of: Answers.self) { group in
      for requests in pairs.values {
        var claimed: [Request: (entry: DocumentName, lease: Lease)] = [:]
        for request in requests {
          guard let place = places[request], let lease = leases[place.lease] else { continue }
          claimed[request] = (place.entry, lease)
        }
        group.addTask { [claimed] in await ask(pair: claimed) }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  /// - Parameter places: of requests for one pair of languages.
  private func ask(pair places: [Request: (entry: DocumentName, lease: Lease)]) async -> Answers {
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
    let translations = await translator.translate(places.keys.map(\.text).sorted())
    var answers: Answers = [:]
    for (request, place) in places {
      answers[request] = translations[request.text]?.map { translation in
        let cached = CachedTranslation(text: translation.text, engine: translation.engine)
        var answer = Answer(
          text: cached.text,
          engine: cached.engine,
          isCached: false,
          entry: place.entry
        )
        let store = cached.write(
          to: place.entry,
          sourceText: request.text,
          from: request.source,
          to: request.target,
          now: place.lease.clock.time
        )
        answer.claim = Claim(store: store, lease: place.lease)
        return answer
      }
    }
    let failed = places.filter { (try? answers[$0.key]?.get()) == nil }
    if !failed.isEmpty { await leases.release(failed.values.map(\.lease)) }
    return answers
  }
}

extension Language {
  /// The code Google Translation knows: it has no regions but those that change the writing.
  var providerCode: String {
    switch code {
    case "pt-PT", "fr-CA": code
    case "zh-TW", "zh-HK", "zh-MO": "zh-TW"
    default: base != "zh" ? base : code.hasPrefix("zh-Hant") ? "zh-TW" : "zh-CN"
    }
  }

  /// Whether a reader of one can read the other as it is: a region differs, a script doesn't.
  package func isReadable(as other: Language) -> Bool {
    base == other.base && (base != "zh" || providerCode == other.providerCode)
  }
}
