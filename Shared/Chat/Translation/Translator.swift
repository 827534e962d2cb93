package import FirestoreModel
package import FirestoreREST
package import FunctionRuntime
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
    /// Stores it in the cache; nil if it came from there.
    package var store: Write?

    /// Stores it if it is new, and counts one use.
    package var use: Write {
      var write =
        store ?? Write(.update(Document(name: entry, fields: [:])), updateMask: FieldMask([]))
      write.updateTransforms = [FieldTransform(FieldPath("usageCount"), .increment(1))]
      return write
    }
  }

  /// Longer texts are left as they are: the provider takes this much in a request.
  package static let maximumCharacters = TranslationClient.maximumCharacters

  package typealias Answers = [Request: Result<Answer, StatusError>]

  private let firestore: FirestoreClient
  private let provider: TranslationClient
  private let context: FunctionContext

  package init(firestore: FirestoreClient, provider: TranslationClient, context: FunctionContext) {
    self.firestore = firestore
    self.provider = provider
    self.context = context
  }

  /// Answers every request, each with a translation or its own failure.
  ///
  /// One read for all cache entries; then one provider call per pair of languages and as many
  /// texts as it takes, all at once. Nothing is written: the caller commits `store` together with
  /// what it translated for.
  ///
  /// - Throws: only if the cache can't be read.
  package func translate(_ requests: Set<Request>) async throws(StatusError) -> Answers {
    var entries: [Request: DocumentName] = [:]
    for request in requests {
      let key = ContentHash.translation(
        of: request.text,
        from: request.source,
        to: request.target
      )
      entries[request] = try firestore.name("translations/\(key)")
    }
    let documents = try await firestore.documents(Array(entries.values))
    let now = context.sources.now()

    var answers: Answers = [:]
    var misses: [Request] = []
    for (request, entry) in entries {
      if let document = documents[entry],
        let cached = CachedTranslation(document, sourceText: request.text, now: now)
      {
        answers[request] = .success(
          Answer(text: cached.text, engine: cached.engine, isCached: true, entry: entry)
        )
        context.record.record {
          $0.cacheHits += 1
          $0.add(engine: cached.engine)
        }
      } else {
        misses.append(request)
        context.record.record { $0.cacheMisses += 1 }
      }
    }
    // In an order of their own, so that the same misses are always the same calls.
    for (request, result) in await ask(misses.sorted { $0.text < $1.text }) {
      guard let entry = entries[request] else { continue }
      answers[request] = result.map { translation in
        let cached = CachedTranslation(text: translation.text, engine: translation.engine)
        let store = cached.write(
          to: entry,
          sourceText: request.text,
          from: request.source,
          to: request.target,
          now: now
        )
        return Answer(
          text: cached.text,
          engine: cached.engine,
          isCached: false,
          entry: entry,
          store: store
        )
      }
    }
    return answers
  }

  private typealias Translations = [Request: Result<TranslationClient.Translation, StatusError>]

  private func ask(_ requests: [Request]) async -> Translations {
    await withTaskGroup(of: Translations.self) { group in
      for batch in Self.batches(requests) {
        group.addTask { await ask(batch: batch) }
      }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  private func ask(batch: [Request]) async -> Translations {
    guard let first = batch.first else { return [:] }
    let characters = batch.reduce(0) { $0 + $1.text.unicodeScalars.count }
    context.record.record { $0.providerCalls += 1 }
    do throws(StatusError) {
      let translations = try await provider.translate(
        batch.map(\.text),
        from: first.source.providerCode,
        to: first.target.providerCode
      )
      context.record.record { usage in
        usage.charactersBilled += characters
        usage.costMicros += characters * TranslationClient.microsPerCharacter
        for translation in translations { usage.add(engine: translation.engine) }
      }
      return Dictionary(
        zip(batch, translations.map(Result.success)),
        uniquingKeysWith: { first, _ in first }
      )
    } catch {
      return Dictionary(
        batch.map { ($0, .failure(error)) },
        uniquingKeysWith: { first, _ in first }
      )
    }
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
