import Core
import FunctionHost

extension ServeMetrics {
  /// Returns the body of `/metrics`.
  func prometheusText(_ pool: FunctionPool) -> String {
    let state = snapshot
    var page = PrometheusText()
    let requests = state.requests.sorted {
      ($0.key.kind, $0.key.status) < ($1.key.kind, $1.key.status)
    }
    page.write(
      "requests_total",
      .counter,
      "Answered requests by kind and HTTP status.",
      requests.map { (["kind": $0.key.kind, "status": "\($0.key.status)"], $0.value) }
    )
    page.write(
      "request_duration_seconds",
      "Time from a request's last byte to its response.",
      state.durations.sorted { $0.key < $1.key }.map { (["kind": $0.key], $0.value) }
    )
    page.write(
      "requests_in_flight",
      .gauge,
      "Requests in progress.",
      state.inFlight
    )
    page.write([([:], state.reports)])
    page.write(
      "invocations_waiting",
      .gauge,
      "Invocations waiting for a worker.",
      pool.waitingCount
    )
    page.write("workers", .gauge, "Worker processes of the function.", pool.processCount)
    page.write(
      "worker_restarts_total",
      .counter,
      "Worker processes that crashed, hung or violated the protocol.",
      pool.lostCount
    )
    if let bytes = residentBytes() {
      page.write(
        "process_resident_memory_bytes",
        .gauge,
        "Resident memory of the server in bytes, without the function's processes.",
        bytes
      )
    }
    return page.text
  }
}

/// Returns the resident memory of this process in bytes, or `nil` if the system doesn't report it.
private func residentBytes() -> Int? {
  guard let text = try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)
  else {
    return nil
  }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
}
