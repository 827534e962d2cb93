import Core
import HTTPService
import Synchronization

/// The queue of faults, in the order in which they were requested.
///
/// - `POST /faults` adds a fault, see `ProviderFault.Form`
/// - `GET /faults` lists the remaining faults: `{"faults":[…]}`
/// - `DELETE /faults` removes all faults, `DELETE /faults/{id}` removes one
final class FaultQueue: Sendable {
  private struct Listing: Encodable { var faults: [ProviderFault.Form] }

  private struct State {
    var faults: [ProviderFault] = []
    /// The number of faults added so far, which is the newest fault's ID.
    var count = 0
    /// The number of times that each request was received, by the request's hash.
    var requests: [UInt64: Int] = [:]
  }

  /// The maximum number of requests in `requests`. The counts are cleared when it is reached.
  private static let maximumRemembered = 100_000

  private let state = Mutex(State())
  private let chaos: @Sendable (String) -> UInt64?

  /// Creates an empty queue.
  ///
  /// - Parameter chaos: returns the number that chooses a request's fault, or `nil` for no fault.
  ///   Its argument is a text that identifies the request.
  init(chaos: @escaping @Sendable (String) -> UInt64?) { self.chaos = chaos }

  func respond(to request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path.count) {
    case ("POST", 1):
      var fault = try ProviderFault(request.json(ProviderFault.Form.self))
      state.withLock { state in
        state.count += 1
        fault.id = state.count
        state.faults.append(fault)
      }
    case ("GET", 1): break
    case ("DELETE", 1): state.withLock { $0.faults = [] }
    case ("DELETE", 2):
      // Deleting a fault that was just used up isn't an error.
      state.withLock { $0.faults.removeAll { "\($0.id)" == request.path[1] } }
    default:
      throw .notServed(by: "/faults", "path or method")
    }
    return .json(Listing(faults: state.withLock(\.faults).map(\.form)))
  }

  /// Counts a request and returns its fault, or `nil` if the request is answered normally.
  func next(for provider: ProviderName, _ request: ServiceRequest) -> ProviderFault? {
    takeNext(for: provider, request) ?? chance(provider, request)
  }

  private func takeNext(
    for provider: ProviderName,
    _ request: ServiceRequest
  ) -> ProviderFault? {
    state.withLock { state in
      guard
        let index = state.faults.firstIndex(where: { fault in
          fault.provider == provider && !(fault.kind.changesTheAnswer && request.isStreamed)
        })
      else { return nil }
      guard state.faults[index].after == 0 else {
        state.faults[index].after -= 1
        return nil
      }
      let fault = state.faults[index]
      state.faults[index].times -= 1
      if state.faults[index].times == 0 { state.faults.remove(at: index) }
      return fault
    }
  }

  /// Returns the fault that chaos chooses.
  ///
  /// The choice depends only on the request's content and on how often it was received. Two runs of
  /// the same requests therefore have the same faults.
  private func chance(_ provider: ProviderName, _ request: ServiceRequest) -> ProviderFault? {
    // An OAuth assertion contains the time, so its content differs between runs. OAuth requests are
    // therefore identified by their count only.
    let content = provider == .oauth ? Data() : request.body
    let hash = content.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let count = state.withLock { state in
      if state.requests.count >= Self.maximumRemembered { state.requests = [:] }
      state.requests[hash, default: 0] += 1
      return state.requests[hash] ?? 1
    }
    return chaos("\(provider.rawValue) \(hash) \(count)").map { .ofChaos(provider, $0) }
  }
}

extension ProviderFault {
  /// Returns a transient fault: the request may succeed when it is retried.
  fileprivate static func ofChaos(_ provider: ProviderName, _ number: UInt64) -> ProviderFault {
    let kinds: [FaultKind] = [
      .status, .status, .status, .timeoutBeforeHeaders, .reset, .malformedJSON, .truncatedJSON,
      .html, .empty,
    ]
    let choice = Int(number % UInt64(kinds.count))
    var fault = ProviderFault(provider, kinds[choice])
    switch choice {
    case 0: fault.status = 500
    case 1:
      fault.status = 503
      fault.headers = ["retry-after": "1"]
    case 2:
      fault.status = 429
      fault.headers = ["retry-after": "1"]
    default: fault.delay = .milliseconds(100)
    }
    return fault
  }
}

extension ServiceRequest {
  fileprivate var isStreamed: Bool {
    (try? JSONValue(parsing: body))?["stream"] == .boolean(true)
  }
}
