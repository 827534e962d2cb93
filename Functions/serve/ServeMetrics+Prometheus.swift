import Core
import FunctionHost

extension ServeMetrics {
  /// The response of `/metrics`.
  func prometheusText(_ pool: FunctionPool) -> String {
    let state = snapshot
    var page = PrometheusText()
    let requests = state.requests.sorted {
      ($0.key.kind, $0.key.status) < ($1.key.kind, $1.key.status)
    }
    page.write(
      "requests_total",
      .counter,
      "Requests that were answered, by kind and HTTP status.",
      requests.map { (["kind": $0.key.kind, "status": "\($0.key.status)"], $0.value) }
    )
    page.write(
      "request_duration_seconds",
      "From a request's last byte to its answer.",
      state.durations.sorted { $0.key < $1.key }.map { (["kind": $0.key], $0.value) }
    )
    page.write(
      "requests_in_flight",
      .gauge,
      "Requests that are being answered.",
      state.inFlight
    )
    page.write(
      "invocations_waiting",
      .gauge,
      "Invocations that wait for a worker.",
      pool.waitingCount
    )
    page.write("workers", .gauge, "The function's processes.", pool.processCount)
    page.write(
      "worker_restarts_total",
      .counter,
      "Processes that crashed, hung or broke the protocol.",
      pool.lostCount
    )
    if let bytes = residentBytes() {
      page.write(
        "process_resident_memory_bytes",
        .gauge,
        "Memory of the server, without the function's.",
        bytes
      )
    }
    return page.text
  }
}

/// The memory of this process in bytes, without that of the function's; nil where it can't be told.
private func residentBytes() -> Int? {
  guard let text = try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)
  else {
    return nil
  }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
}
