import FunctionRuntime
import Platform
import Triggers

/// What functions did, in Prometheus's text format 0.0.4.
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats; names by
/// prometheus.io/docs/practices/naming.
struct MetricsPage {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  init(_ dispatcher: Dispatcher) {
    let counts = dispatcher.metrics.counts.sorted { $0.key < $1.key }
    family("function_attempts_total", "counter", "Invocations that ended, by exit code.")
    for (function, counts) in counts {
      for (code, count) in counts.attempts.sorted(by: { $0.key < $1.key }) {
        sample("function_attempts_total", ["function": function, "exit_code": "\(code)"], count)
      }
    }
    family("function_deliveries_total", "counter", "Deliveries and calls that ended, by outcome.")
    for (function, counts) in counts {
      for (outcome, count) in [
        ("succeeded", counts.succeeded), ("skipped", counts.skipped),
        ("dead_lettered", counts.deadLettered),
      ] {
        sample("function_deliveries_total", ["function": function, "outcome": outcome], count)
      }
    }
    let delay = "function_start_delay_seconds"
    family(delay, "histogram", "From a commit to the start of the first attempt on its event.")
    for (function, counts) in counts { histogram(delay, function, counts.startDelay) }
    let latency = "function_latency_seconds"
    family(latency, "histogram", "From a commit to the end of the attempt that succeeded.")
    for (function, counts) in counts { histogram(latency, function, counts.latency) }
    let usage: [(String, String, KeyPath<DeliveryMetrics.Counts, Int>)] = [
      ("provider_calls_total", "Calls of providers.", \.usage.providerCalls),
      ("translation_cache_hits_total", "Translations from the cache.", \.usage.cacheHits),
      ("translation_cache_misses_total", "Translations asked for.", \.usage.cacheMisses),
      ("translations_served_total", "Translations handed on.", \.usage.served),
      ("provider_characters_billed_total", "Characters billed.", \.usage.charactersBilled),
      ("provider_prompt_tokens_total", "Tokens of prompts.", \.usage.promptTokens),
      ("provider_completion_tokens_total", "Tokens of answers.", \.usage.completionTokens),
      ("provider_cost_micros_total", "Millionths of a US dollar.", \.usage.costMicros),
    ]
    for (name, help, path) in usage {
      family(name, "counter", help)
      for (function, counts) in counts {
        sample(name, ["function": function], counts[keyPath: path])
      }
    }
    family("outbox_deliveries", "gauge", "Deliveries that are kept, by state.")
    let states = Dictionary(grouping: dispatcher.deliveries, by: \.state)
    for state in Delivery.State.allCases {
      sample("outbox_deliveries", ["state": state.rawValue], states[state]?.count ?? 0)
    }
    family("outbox_dead_letters", "gauge", "Deliveries given up since the start and not retried.")
    sample("outbox_dead_letters", [:], dispatcher.deadLetterCount)
  }

  private mutating func family(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func sample(_ name: String, _ labels: [String: String], _ value: some Numeric) {
    let list = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\(Self.escaped($1))\"" }
    text +=
      list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list.joined(separator: ","))} \(value)\n"
  }

  private mutating func histogram(
    _ name: String,
    _ function: String,
    _ histogram: DeliveryMetrics.Histogram
  ) {
    for (bound, count) in zip(DeliveryMetrics.Histogram.bounds, histogram.counts) {
      sample("\(name)_bucket", ["function": function, "le": "\(bound)"], count)
    }
    sample("\(name)_bucket", ["function": function, "le": "+Inf"], histogram.count)
    sample("\(name)_sum", ["function": function], histogram.sum)
    sample("\(name)_count", ["function": function], histogram.count)
  }

  /// A label's value: a backslash, a quote and a line feed are escaped.
  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

extension InvocationRecord.Usage {
  fileprivate var served: Int { translationsServed ?? 0 }
}
