package import Core
package import HTTPService

/// The hub's routes by which `emulator record` listens.
///
/// - `POST …/recordings` begins, and answers with an id
/// - `GET …/recordings/{id}` some of what has ended since, `{"recordings":[…]}`; none once all is
///   told
/// - `DELETE …/recordings/{id}` ends it; so does a minute without a question
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
        throw StatusError(.notFound, "there is no recording \(quoted(id)), or not any more")
      }
      return .json(JSONValue.object(["recordings": .array(recordings)]))
    case ("DELETE", 3):
      recorder.close(id)
      return .json(JSONValue.object([:]))
    default: throw notFound(request)
    }
  }
}
