import Core
import FunctionRuntime
import Providers

/// The client that translates texts in one pair of languages with the fewest provider calls.
///
/// The client first sends all distinct segments, concurrently, in as few requests as the provider
/// allows. If the translation of a segment lacks a protected span, which is rare, the client then
/// sends the segment's fragments.
struct TextTranslator: Sendable {
  let provider: any TranslationProvider
  /// The source language. Like `target`, it is a result of `Language.asTranslated`.
  let source: Language
  let target: Language
  /// The deadline of each request.
  let deadline: ContinuousClock.Instant
  let record: InvocationRecord
  let prices: PriceTable

  /// The result for each text.
  typealias Answers = [ByteKey: Result<Translation, StatusError>]

  /// Translates texts.
  ///
  /// - Returns: a translation or an error for every text.
  func translate(_ texts: [String]) async -> Answers {
    let segmented = texts.map {
      ($0, SegmentedText($0, maximumCharacters: provider.maximumCharacters))
    }
    let segments = segmented.flatMap(\.1.segments)
    var answers = await ask(segments.map(\.template))
    let fragments = segments.filter { isIncomplete($0, answers) }.flatMap(\.fragments)
    answers.merge(await ask(fragments.filter { answers[$0] == nil })) { first, _ in first }
    var results = Answers()
    for (text, parts) in segmented {
      do throws(StatusError) {
        results[text] = .success(try translation(of: parts, answers))
      } catch {
        results[text] = .failure(error)
      }
    }
    return results
  }

  /// Returns a Boolean value that indicates whether a segment's translation lost a span.
  private func isIncomplete(_ segment: Segment, _ answers: Answers) -> Bool {
    guard case .success(let answer) = answers[segment.template] else { return false }
    do throws(StatusError) {
      return try segment.restored(from: answer.text) == nil
    } catch {
      return false
    }
  }

  private func translation(
    of text: SegmentedText,
    _ answers: Answers
  ) throws(StatusError) -> Translation {
    var engines: Set<String> = []
    func answer(to sent: String) throws(StatusError) -> String {
      guard let answer = try answers[sent]?.get() else {
        throw StatusError(.internal, "a part of the text was not translated")
      }
      engines.insert(answer.engine)
      return answer.text
    }
    let joined = try text.joined { segment throws(StatusError) in
      if let whole = try segment.restored(from: answer(to: segment.template)) { return whole }
      return try segment.joined(answer)
    }
    // A text without words is its own translation.
    let engine = engines.isEmpty ? "identity" : engines.sorted().joined(separator: "+")
    return Translation(text: joined, engine: engine)
  }

  // MARK: Requests

  private func ask(_ texts: [String]) async -> Answers {
    var seen: Set<ByteKey> = []
    let batches = Self.batches(
      texts.filter { seen.insert(ByteKey($0)).inserted },
      maximumTexts: provider.maximumTexts,
      maximumCharacters: provider.maximumCharacters
    )
    return await withTaskGroup(of: Answers.self) { group in
      for batch in batches { group.addTask { await ask(batch: batch) } }
      return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  private func ask(batch: [String]) async -> Answers {
    var answers = Answers()
    record.record { $0.providerCalls += 1 }
    do throws(StatusError) {
      let translations = try await provider.translate(
        batch,
        from: source.code,
        to: target.code,
        deadline: deadline
      )
      record.record { usage in
        for (text, translation) in zip(batch, translations) {
          let characters = text.unicodeScalars.count
          let cost = prices.cost(
            ofTranslating: characters,
            by: provider.pricedEngine ?? translation.engine
          )
          usage.charactersBilled += characters
          usage.charge(cost, by: provider.pricedEngine ?? translation.engine)
          usage.add(engine: translation.engine)
        }
      }
      for (text, translation) in zip(batch, translations) { answers[text] = .success(translation) }
    } catch {
      for text in batch { answers[text] = .failure(error) }
    }
    return answers
  }

  /// Returns the texts in batches within the provider's limits, in their order. A text above the
  /// limit is alone in its batch.
  static func batches(
    _ texts: [String],
    maximumTexts: Int,
    maximumCharacters: Int
  ) -> [[String]] {
    var batches: [[String]] = []
    var characters = 0
    for text in texts {
      let count = text.unicodeScalars.count
      if let last = batches.indices.last, batches[last].count < maximumTexts,
        characters + count <= maximumCharacters
      {
        batches[last].append(text)
        characters += count
      } else {
        batches.append([text])
        characters = count
      }
    }
    return batches
  }
}
