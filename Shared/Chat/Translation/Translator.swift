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

  /// Longer texts are left as they are: the provider takes this much in a request.
  package static let maximumCharacters = TranslationClient.maximumCharacters

  package typealias Answers = [Request: Result<Answer, StatusError>]

  private let firestore: FirestoreClient
  private let leases: Leases
  private let provider: TranslationClient
  private let context: FunctionContext
  private let prices: PriceTable

  package init(session: ChatSession, provider: TranslationClient) {
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
  /// is one provider call per pair of languages and as many texts as it takes, all at once. What
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
    while true {
      for (request, answer) in cached(open, in: snapshot) {
        answers[request] = .success(answer)
        open[request] = nil
      }
      guard !open.isEmpty else { return answers }
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

  private func ask(_ requests: [Request: Place], _ leases: [DocumentName: Lease]) async -> Answers {
    await withTaskGroup(of: Answers.self) { group in
      // In an order of their own, so that the same requests are always the same calls.
      for batch in Self.batches(requests.keys.sorted { $0.text < $1.text }) {
        var places: [Request: (entry: DocumentName, lease: Lease)] = [:]
        for request in batch {
          guard let place = requests[request], let lease = leases[place.lease] else { continue }
          places[request] = (place.entry, lease)
        }
        group.addTask { [places] in await ask(batch: batch, places) }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  private func ask(
    batch: [Request],
    _ places: [Request: (entry: DocumentName, lease: Lease)]
  ) async -> Answers {
    guard let first = batch.first, let lease = places.values.first?.lease else { return [:] }
    let characters = batch.reduce(0) { $0 + $1.text.unicodeScalars.count }
    context.record.record {
      $0.cacheMisses += batch.count
      $0.providerCalls += 1
    }
    var answers: Answers = [:]
    do throws(StatusError) {
      let translations = try await provider.translate(
        batch.map(\.text),
        from: first.source.providerCode,
        to: first.target.providerCode,
        deadline: lease.deadline
      )
      context.record.record { usage in
        usage.charactersBilled += characters
        for (request, translation) in zip(batch, translations) {
          usage.add(engine: translation.engine)
          let characters = request.text.unicodeScalars.count
          usage.charge(
            prices.cost(ofTranslating: characters, by: translation.engine),
            by: translation.engine
          )
        }
      }
      for (request, translation) in zip(batch, translations) {
        guard let (entry, lease) = places[request] else { continue }
        let cached = CachedTranslation(text: translation.text, engine: translation.engine)
        var answer = Answer(
          text: cached.text,
          engine: cached.engine,
          isCached: false,
          entry: entry
        )
        let store = cached.write(
          to: entry,
          sourceText: request.text,
          from: request.source,
          to: request.target,
          now: lease.clock.time
        )
        answer.claim = Claim(store: store, lease: lease)
        answers[request] = .success(answer)
      }
    } catch {
      await leases.release(places.values.map(\.lease))
      for request in batch { answers[request] = .failure(error) }
    }
    return answers
  }

  /// Requests that share a pair of languages, cut to the provider's limits.
  static func batches(_ requests: [Request]) -> [[Request]] {
    let pairs = Dictionary(grouping: requests) { [$0.source, $0.target] }
    return pairs.values.flatMap { requests in
      var batches: [[Request]] = []
      var characters = 0
      for request in requests {
        let count = request.text.unicodeScalars.count
        if let last = batches.indices.last, batches[last].count < TranslationClient.maximumTexts,
          characters + count <= TranslationClient.maximumCharacters
        {
          batches[last].append(request)
          characters += count
        } else {
          batches.append([request])
          characters = count
        }
      }
      return batches
    }
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
