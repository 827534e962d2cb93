import Core
import Delivery
import HTTPService
import Recording
import Services

extension UIService {
  /// - Parameter id: an event's, a delivery's or a call's.
  func trace(_ id: String) throws(StatusError) -> ServiceResponse {
    var builder = TraceBuilder(dispatcher, prices: about.prices)
    guard let trace = builder.build(id) else {
      throw StatusError(
        .notFound,
        "there is no event, delivery or call \(quoted(id)), or it is not remembered any more"
      )
    }
    return .json(trace)
  }

  /// - Parameter id: a delivery's.
  func replay(_ id: String) async throws(StatusError) -> ServiceResponse {
    .json(DeliveryReport(try await dispatcher.replay(id)))
  }

  // MARK: Fixtures

  struct RecordingSwitch: Codable {
    var on: Bool
  }

  var recording: ServiceResponse { .json(RecordingSwitch(on: recorder.keepsNewest)) }

  func setRecording(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    recorder.keepsNewest = try members(of: request, ["on"], RecordingSwitch.self).on
    return recording
  }

  /// Returns what an invocation met and did as a file that can be replayed.
  ///
  /// - Parameter id: a delivery's, or a call's.
  func fixture(_ id: String) async throws(StatusError) -> ServiceResponse {
    let fixture = try await makeFixture(recorder.kept(id))
    var response = ServiceResponse.json(try fixture.file)
    response.headers.append(
      ("content-disposition", "attachment; filename=\"\(fixture.fileName)\"")
    )
    return response
  }
}
