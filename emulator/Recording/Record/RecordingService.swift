package import Core
package import HTTPService

/// The hub's routes for `emulator record`.
///
/// - `POST …/recordings` opens a session and returns its ID
/// - `GET …/recordings/{id}` returns the next recordings, `{"recordings":[…]}`; the list is empty
///   once all are fetched
/// - `DELETE …/recordings/{id}` closes the session; a session also ends after a minute without a
///   `GET`
package struct RecordingService: HTTPService {
  package let name = "recordings"
  private let recorder: InvocationRecorder

  package init(_ recorder: InvocationRecorder) { self.recorder = recorder }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let id = request.path.last ?? ""
    switch (request.method, request.path.count) {
    case ("POST", 2): return .json(["id": recorder.open()])
    case ("GET", 3):
      guard let recordings = recorder.fetch(id) else {
        throw StatusError(
          .notFound,
          "the recording \(quoted(id)) doesn't exist or has ended: start another"
        )
      }
      return .json(JSONValue.object(["recordings": .array(recordings)]))
    case ("DELETE", 3):
      recorder.close(id)
      return .json(JSONValue.object([:]))
    default: throw notFound(request)
    }
  }
}
