import Delivery
import FunctionHost

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
    page.write(counts.map { (["function": $0], $1.reports) })
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
}
