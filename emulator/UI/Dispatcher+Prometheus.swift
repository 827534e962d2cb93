import Delivery
import FunctionHost
import FunctionRuntime

extension Dispatcher {
  /// The text of `GET /metrics`: the functions' metrics and the outbox's.
  var prometheusText: String {
    let counts = metrics.counts.sorted { $0.key < $1.key }
    var page = PrometheusText()
    page.write(
      "function_attempts_total",
      .counter,
      "Invocations that ended, by exit code.",
      counts.flatMap { function, counts in
        counts.attempts.sorted { $0.key < $1.key }.map {
          (["function": function, "exit_code": "\($0.key)"], $0.value)
        }
      }
    )
    page.write(
      "function_deliveries_total",
      .counter,
      "Deliveries and calls that ended, by outcome.",
      counts.flatMap { function, counts in
        [
          (["function": function, "outcome": "succeeded"], counts.succeeded),
          (["function": function, "outcome": "skipped"], counts.skipped),
          (["function": function, "outcome": "dead_lettered"], counts.deadLettered),
        ]
      }
    )
    page.write(
      "function_start_delay_seconds",
      "Seconds from a commit to the start of the first attempt on its event.",
      counts.map { (["function": $0], $1.startDelay) }
    )
    page.write(
      "function_latency_seconds",
      "Seconds from a commit to the end of the attempt that succeeded.",
      counts.map { (["function": $0], $1.latency) }
    )
    for (name, help, value) in Self.usageCounters {
      page.write(name, .counter, help, counts.map { (["function": $0], value($1.usage)) })
    }
    let states = Dictionary(grouping: deliveries, by: \.state)
    page.write(
      "outbox_deliveries",
      .gauge,
      "Deliveries that are kept, by state.",
      Delivery.State.allCases.map { (["state": $0.rawValue], states[$0]?.count ?? 0) }
    )
    page.write(
      "outbox_dead_letters",
      .gauge,
      "Deliveries given up since the start and not retried.",
      deadLetterCount
    )
    return page.text
  }

  private typealias Usage = InvocationRecord.Usage

  private static let usageCounters: [(String, String, @Sendable (Usage) -> Int)] = [
    ("provider_calls_total", "Requests to providers.", { $0.providerCalls }),
    ("translation_cache_hits_total", "Translations from the cache.", { $0.cacheHits }),
    ("translation_cache_misses_total", "Translations from a provider.", { $0.cacheMisses }),
    ("translations_served_total", "Translations returned.", { $0.translationsServed ?? 0 }),
    ("provider_characters_billed_total", "Characters billed.", { $0.charactersBilled }),
    ("provider_prompt_tokens_total", "Tokens of prompts.", { $0.promptTokens }),
    ("provider_completion_tokens_total", "Tokens of completions.", { $0.completionTokens }),
    ("provider_cost_micros_total", "Cost in millionths of a US dollar.", { $0.costMicros }),
  ]
}
