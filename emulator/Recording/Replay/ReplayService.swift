import Core
import HTTPService
import Synchronization

/// Firestore and the providers for concurrent replays. The trace context of a request identifies
/// its replay.
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
    // Functions get their access token from the metadata server. Its requests belong to the process
    // and not to a replay.
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
        "\(what) has no traceparent of a running replay: send the invocation's traceparent with "
          + "each request"
      )
    }
    return try await run.respond(to: request)
  }

  /// The requests that belong to no replay.
  var strayRequests: [String] { strays.withLock(\.self) }
}
