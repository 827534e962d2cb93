import Core
import HTTPService
import Synchronization

/// The faults that are to come, in the order in which they were asked for.
///
/// - `POST /faults` asks for one, see `ProviderFault.Form`
/// - `GET /faults` lists what is left: `{"faults":[…]}`
/// - `DELETE /faults` forgets them all, `DELETE /faults/{id}` one of them
final class FaultQueue: Sendable {
  private struct Listing: Encodable { var faults: [ProviderFault.Form] }

  private struct State {
    var faults: [ProviderFault] = []
    /// How many were asked for: their ids.
    var count = 0
    /// How often chaos has seen a request.
    var requests: [UInt64: Int] = [:]
  }

  /// Of very many requests chaos remembers the latest; it begins anew then.
  private static let maximumRemembered = 100_000

  private let state = Mutex(State())
  private let chaos: @Sendable (String) -> UInt64?

  /// - Parameter chaos: given a request's name, a number that chooses its fault, if it gets one.
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
      // One that has just been used up is gone as well.
      state.withLock { $0.faults.removeAll { "\($0.id)" == request.path[1] } }
    default: throw StatusError(.notFound, "faults have no such method")
    }
    return .json(Listing(faults: state.withLock(\.faults).map(\.form)))
  }

  /// The fault of a request that has just come in, and counts it; nil if it is to be answered well.
  func next(for provider: FaultyProvider, _ request: ServiceRequest) -> ProviderFault? {
    takeNext(for: provider, request) ?? chance(provider, request)
  }

  private func takeNext(
    for provider: FaultyProvider,
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

  /// Chaos decides by what is asked and how often it was, not by what happened before: two runs of
  /// the same requests go wrong alike.
  private func chance(_ provider: FaultyProvider, _ request: ServiceRequest) -> ProviderFault? {
    // An assertion is signed at a time; only its number tells it from others.
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
  /// One that passes: tried again, the request may be answered well.
  fileprivate static func ofChaos(_ provider: FaultyProvider, _ number: UInt64) -> ProviderFault {
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
