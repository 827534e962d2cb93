import HTTPService
import Platform
package import RPCStatus
import Synchronization

/// Answers calls to providers from a recording.
package final class ExchangeBook: Sendable {
  /// How a request finds its exchange.
  package enum Matching: Sendable {
    /// Method, path and body are equal, and each exchange answers once. What isn't recorded is refused.
    case exact
    /// The same, but the last of equal ones answers for ever; a refusal quotes nobody's words.
    case repeated
    /// Else the one of the same method and path that is most like it, for a recording whose texts
    /// were replaced: what is asked now is learned.
    case closest
  }

  private struct Entry {
    var exchange: ProviderExchange
    var isUsed = false
  }

  private struct State {
    var entries: [Entry]
    var refusals: [String] = []
  }

  private let matching: Matching
  private let state: Mutex<State>

  package init(_ exchanges: [ProviderExchange], matching: Matching) {
    self.matching = matching
    state = Mutex(State(entries: exchanges.map { Entry(exchange: $0) }))
  }

  /// - Parameter request: its path without `providers`.
  func answer(_ request: ServiceRequest) -> ServiceResponse {
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
      let open = state.entries.indices.filter { !state.entries[$0].isUsed }
      var found = open.first { state.entries[$0].exchange.request == request }
      if found == nil, matching == .closest {
        let alike = open.filter { state.entries[$0].exchange.request.isOfSameMethod(as: request) }
        let words = request.words
        // Of several that are as like, the first: calls one after the other come in their order.
        found = alike.reversed().max {
          state.entries[$0].exchange.request.words.likeness(to: words)
            < state.entries[$1].exchange.request.words.likeness(to: words)
        }
        if let found { state.entries[found].exchange.request = request }
      }
      if found == nil, matching == .repeated {
        found = state.entries.lastIndex { $0.exchange.request == request }
      }
      guard let found else {
        let refusal = refusal(of: request, among: state.entries.map(\.exchange))
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
    among exchanges: [ProviderExchange]
  ) -> String {
    let what = "\(request.method) \(request.path)"
    let alike = exchanges.filter { $0.request.isOfSameMethod(as: request) }
    let words = request.words
    guard
      let likest = alike.reversed().max(by: {
        $0.request.words.likeness(to: words) < $1.request.words.likeness(to: words)
      })
    else { return "\(what) was not recorded" }
    if alike.contains(where: { $0.request == request }) {
      return "\(what) was asked more often than it was recorded"
    }
    let differences = Difference.all(
      expected: likest.request.body.json,
      actual: request.body.json,
      at: "body"
    )
    let shown = differences.prefix(3)
    return matching == .repeated
      ? "\(what) was recorded with other values of \(shown.map(\.path).joined(separator: ", "))"
      : "\(what) was recorded with another body; "
        + shown.map(\.description).joined(separator: "; ")
  }

  /// One sentence for each request that had no exchange.
  var refusals: [String] { state.withLock(\.refusals) }

  /// The exchanges that nobody asked for.
  var unused: [ProviderExchange] {
    state.withLock { $0.entries.filter { !$0.isUsed }.map(\.exchange) }
  }

  /// All of them, with what was asked for each.
  var exchanges: [ProviderExchange] { state.withLock { $0.entries.map(\.exchange) } }
}

extension ProviderExchange.Request {
  fileprivate func isOfSameMethod(as other: Self) -> Bool {
    method == other.method && path == other.path
  }

  /// How often it has each word.
  fileprivate var words: [Substring: Int] {
    let text = String(decoding: body.data, as: UTF8.self)
    return text.split { !$0.isLetter && !$0.isNumber }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

extension [Substring: Int] {
  /// How many words two texts share.
  fileprivate func likeness(to other: Self) -> Int {
    reduce(0) { $0 + Swift.min($1.value, other[$1.key] ?? 0) }
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
