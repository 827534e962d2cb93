import Workers

/// Metrics in Prometheus's text format 0.0.4.
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats.
struct MetricsPage {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  init(_ metrics: ServeMetrics, _ pool: FunctionPool) {
    let state = metrics.snapshot
    family("requests_total", "counter", "Requests that were answered, by kind and HTTP status.")
    let requests = state.requests.sorted {
      ($0.key.kind, $0.key.status) < ($1.key.kind, $1.key.status)
    }
    for (key, count) in requests {
      sample("requests_total", #"{kind="\#(key.kind)",status="\#(key.status)"}"#, "\(count)")
    }
    let duration = "request_duration_seconds"
    family(duration, "histogram", "From a request's last byte to its answer.")
    for (kind, histogram) in state.durations.sorted(by: { $0.key < $1.key }) {
      var sum = 0
      for (index, count) in histogram.counts.enumerated() {
        sum += count
        let bound =
          index < ServeMetrics.bounds.count ? "\(ServeMetrics.bounds[index])" : "+Inf"
        sample("\(duration)_bucket", #"{kind="\#(kind)",le="\#(bound)"}"#, "\(sum)")
      }
      sample("\(duration)_sum", #"{kind="\#(kind)"}"#, "\(histogram.seconds)")
      sample("\(duration)_count", #"{kind="\#(kind)"}"#, "\(sum)")
    }
    gauge("requests_in_flight", "Requests that are being answered.", state.inFlight)
    gauge("invocations_waiting", "Invocations that wait for a worker.", pool.waitingCount)
    gauge("workers", "The function's processes.", pool.processCount)
    family(
      "worker_restarts_total",
      "counter",
      "Processes that crashed, hung or broke the protocol."
    )
    sample("worker_restarts_total", "", "\(pool.lostCount)")
    if let bytes = residentBytes() {
      gauge("process_resident_memory_bytes", "Memory of the server, without the function's.", bytes)
    }
  }

  private mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    family(name, "gauge", help)
    sample(name, "", "\(value)")
  }

  private mutating func family(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func sample(_ name: String, _ labels: String, _ value: String) {
    text += "\(name)\(labels) \(value)\n"
  }
}
