package import Core
package import HTTPService
import Synchronization

/// The playback of recorded exchanges: each answers a request of its method, path and body once. Any
/// other request is refused.
package final class RecordedExchanges: Sendable {
  private struct Entry {
    var exchange: ProviderExchange
    var isUsed = false
  }

  private struct State {
    var entries: [Entry]
    var refusals: [String] = []
  }

  private let repeatsLast: Bool
  private let state: Mutex<State>

  /// - Parameter repeatsLast: whether the last of equal exchanges answers any number of times; a
  ///   refusal then quotes nobody's words.
  package init(_ exchanges: [ProviderExchange], repeatsLast: Bool = false) {
    self.repeatsLast = repeatsLast
    state = Mutex(State(entries: exchanges.map { Entry(exchange: $0) }))
  }

  /// - Parameter request: its path without `providers`.
  package func answer(_ request: ServiceRequest) -> ServiceResponse {
    do throws(StatusError) {
      return try answer(ProviderExchange.Request(request)).serviceResponse
    } catch {
      return .error(error)
    }
  }

  /// - Throws: `UNIMPLEMENTED`, naming what wasn't recorded.
  package func answer(
    _ request: ProviderExchange.Request
  ) throws(StatusError) -> ProviderExchange.Response {
    let answer = state.withLock { state -> Result<ProviderExchange.Response, StatusError> in
      var found = state.entries.firstIndex { !$0.isUsed && $0.exchange.request == request }
      if found == nil, repeatsLast {
        found = state.entries.lastIndex { $0.exchange.request == request }
      }
      guard let found else {
        let refusal = refusal(of: request, among: state.entries.map(\.exchange.request))
        state.refusals.append(refusal)
        return .failure(StatusError(.unimplemented, refusal))
      }
      state.entries[found].isUsed = true
      return .success(state.entries[found].exchange.response)
    }
    return try answer.get()
  }

  private func refusal(
    of request: ProviderExchange.Request,
    among recorded: [ProviderExchange.Request]
  ) -> String {
    let what = "\(request.method) \(request.path)"
    if recorded.contains(request) { return "\(what) was asked more often than it was recorded" }
    // The recorded request that is most like it tells most.
    let differences = recorded.filter { $0.method == request.method && $0.path == request.path }
      .map {
        Difference.all(expected: $0.body.json, actual: request.body.json, at: "body")
      }
      .min { $0.count < $1.count }
    guard let shown = differences?.prefix(3) else { return "\(what) was not recorded" }
    return repeatsLast
      ? "\(what) was recorded with other values of \(shown.map(\.path).joined(separator: ", "))"
      : "\(what) was recorded with another body; "
        + shown.map(\.description).joined(separator: "; ")
  }

  /// One sentence for each request that had no exchange.
  package var refusals: [String] { state.withLock(\.refusals) }

  /// The exchanges that nobody asked for.
  package var unused: [ProviderExchange] {
    state.withLock { $0.entries.filter { !$0.isUsed }.map(\.exchange) }
  }
}

extension ProviderExchange.Body {
  fileprivate var json: JSONValue? {
    switch self {
    case .none: nil
    case .json(let json): json
    case .text(let text): .string(text)
    }
  }
}
