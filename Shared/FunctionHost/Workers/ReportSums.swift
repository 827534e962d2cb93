package import FunctionRuntime

/// The sums of what invocations reported: their usage, and the latencies of messages.
package struct ReportSums: Sendable {
  /// The histograms' bounds in seconds. Translations and pushes take seconds. People may read a
  /// message, or open its push, much later.
  private static let bounds = [
    0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300, 1_800, 7_200, 28_800, 86_400,
  ]

  package private(set) var usage = InvocationRecord.Usage()
  package private(set) var messageLatencies: [MessageLatencies.Step: Histogram] = [:]

  package init() {}

  package mutating func add(_ result: InvocationResult) {
    if let usage = result.usage { self.usage.add(usage) }
    for (step, duration) in result.messageLatencies.durations {
      messageLatencies[step, default: Histogram(bounds: Self.bounds)].add(duration)
    }
  }
}

extension InvocationRecord.Usage {
  fileprivate mutating func add(_ other: Self) {
    providerCalls.increase(by: other.providerCalls)
    cacheHits.increase(by: other.cacheHits)
    cacheMisses.increase(by: other.cacheMisses)
    translationsServed.increase(by: other.translationsServed)
    pushesSent.increase(by: other.pushesSent)
    pushesOpened.increase(by: other.pushesOpened)
    charactersBilled.increase(by: other.charactersBilled)
    promptTokens.increase(by: other.promptTokens)
    completionTokens.increase(by: other.completionTokens)
    costMicros.increase(by: other.costMicros)
    for engine in other.unpricedEngines ?? [] { charge(nil, by: engine) }
    for engine in other.engines { add(engine: engine) }
  }
}

extension Int {
  /// Adds a count. A function may print any number, so a sum that overflows stays at the maximum.
  fileprivate mutating func increase(by count: Int) {
    let (sum, isTooLarge) = addingReportingOverflow(Swift.max(0, count))
    self = isTooLarge ? .max : sum
  }
}

extension Int? {
  fileprivate mutating func increase(by count: Int?) {
    guard let count, count > 0 else { return }
    var sum = self ?? 0
    sum.increase(by: count)
    self = sum
  }
}

extension PrometheusText {
  /// Writes the counters of usage and the histograms of messages' latencies.
  package mutating func write(_ sums: [(labels: Labels, sums: ReportSums)]) {
    for (name, help, value) in Self.usageCounters {
      write(name, .counter, help, sums.map { ($0.labels, value($0.sums.usage)) })
    }
    write(
      "message_latency_seconds",
      "Seconds from a message's creation to its translation, push, receipt or opened push.",
      sums.flatMap { labels, sums in
        MessageLatencies.Step.allCases.compactMap { step in
          sums.messageLatencies[step].map { (labels.merging(["until": step.rawValue]) { $1 }, $0) }
        }
      }
    )
  }

  private typealias Usage = InvocationRecord.Usage

  private static let usageCounters: [(String, String, @Sendable (Usage) -> Int)] = [
    ("provider_calls_total", "Requests to providers.", { $0.providerCalls }),
    ("translation_cache_hits_total", "Translations from the cache.", { $0.cacheHits }),
    ("translation_cache_misses_total", "Translations from a provider.", { $0.cacheMisses }),
    ("translations_served_total", "Translations returned.", { $0.translationsServed ?? 0 }),
    ("pushes_sent_total", "Devices that a message's push was sent to.", { $0.pushesSent ?? 0 }),
    ("pushes_opened_total", "Pushes opened for the first time.", { $0.pushesOpened ?? 0 }),
    ("provider_characters_billed_total", "Characters billed.", { $0.charactersBilled }),
    ("provider_prompt_tokens_total", "Tokens of prompts.", { $0.promptTokens }),
    ("provider_completion_tokens_total", "Tokens of completions.", { $0.completionTokens }),
    ("provider_cost_micros_total", "Cost in millionths of a US dollar.", { $0.costMicros }),
  ]
}
