import Core
import HTTPService
import Synchronization

/// Firestore and providers for many replays at once: the trace context that a function sends with
/// every request tells whose it is.
final class ReplayService: HTTPService {
  let name = "replay"
  private let runs = Mutex<[String: ReplayRun]>([:])
  private let strays = Mutex<[String]>([])

  func begin(_ run: ReplayRun, traceparent: String) {
    runs.withLock { $0[traceparent] = run }
  }

  func end(traceparent: String) {
    runs.withLock { _ = $0.removeValue(forKey: traceparent) }
  }

  func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    // The metadata server, from which functions have their access token: it is the process's and
    // belongs to no run.
    if request.path.first == "computeMetadata" {
      return .json(
        JSONValue.object([
          "access_token": .string("replay"), "expires_in": .integer(3_599),
          "token_type": .string("Bearer"),
        ])
      )
    }
    guard let run = request.headers["traceparent"].flatMap({ key in runs.withLock { $0[key] } })
    else {
      let what = "\(request.method) /\(request.path.joined(separator: "/"))"
      strays.withLock { $0.append(what) }
      throw StatusError(
        .unimplemented,
        "\(what) came without the traceparent of an invocation that is being replayed"
      )
    }
    return try await run.respond(to: request)
  }

  /// Requests that belong to no run.
  var strayRequests: [String] { strays.withLock(\.self) }
}
