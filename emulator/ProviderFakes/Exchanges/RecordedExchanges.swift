package import Core
package import HTTPService
import Synchronization

/// The playback of recorded exchanges. Each exchange answers one request with the recorded method,
/// path and body. Any other request is refused.
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

  /// Creates a playback.
  ///
  /// - Parameter repeatsLast: a Boolean value that indicates whether a request that arrives more
  ///   often than it was recorded gets its last recorded response again. If it is `true`, refusals
  ///   don't quote the bodies, which contain users' texts.
  package init(_ exchanges: [ProviderExchange], repeatsLast: Bool = false) {
    self.repeatsLast = repeatsLast
    state = Mutex(State(entries: exchanges.map { Entry(exchange: $0) }))
  }

  /// Returns the recorded response, or an error response if the request wasn't recorded.
  ///
  /// - Parameter request: the request, without the leading `providers` in its path.
  package func answer(_ request: ServiceRequest) -> ServiceResponse {
    do throws(StatusError) {
      return try answer(ProviderExchange.Request(request)).serviceResponse
    } catch {
      return .error(error)
    }
  }

  /// Returns the recorded response and marks its exchange as used.
  ///
  /// - Throws: `UNIMPLEMENTED` with a description of the request if it wasn't recorded.
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
    if recorded.contains(request) { return "\(what) was requested more often than it was recorded" }
    // The recorded request with the fewest differences makes the most useful message.
    let differences = recorded.filter { $0.method == request.method && $0.path == request.path }
      .map {
        Difference.all(expected: $0.body.json, actual: request.body.json, at: "body")
      }
      .min { $0.count < $1.count }
    guard let shown = differences?.prefix(3) else { return "\(what) was not recorded" }
    return repeatsLast
      ? "\(what) was recorded with different values of \(shown.map(\.path).joined(separator: ", "))"
      : "\(what) was recorded with another body; "
        + shown.map(\.description).joined(separator: "; ")
  }

  /// The descriptions of the requests that had no exchange, one sentence each.
  package var refusals: [String] { state.withLock(\.refusals) }

  /// The exchanges that no request used.
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
