import Core
import Delivery
import FirestoreModel
import HTTPService
import Recording
import Services

extension UIService {
  /// Returns the causes and effects of an event, a delivery or a call.
  ///
  /// - Parameter id: The id of an event, a delivery or a call.
  func trace(_ id: String) throws(StatusError) -> ServiceResponse {
    var builder = TraceBuilder(dispatcher, prices: about.prices)
    guard let trace = builder.build(id) else {
      throw StatusError(
        .notFound,
        "there is no event, delivery or call \(quoted(id)): it may be no longer kept"
      )
    }
    return .json(trace)
  }

  /// Returns the trace of a document: that of its newest creation, or of its oldest change if its
  /// creation is no longer kept.
  ///
  /// The request's query has the path in `document`, and perhaps the `database`.
  func traceOfDocument(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    guard let path = request[query: "document"] else {
      throw StatusError(
        .invalidArgument,
        "the query has no document: add document=PATH, the path below documents/"
      )
    }
    let name = try DocumentName(database: try database(request), path: ResourcePath(path))
    guard let event = dispatcher.origin(of: name) else {
      throw StatusError(
        .notFound,
        "no change of \(quoted(path)) is kept: the emulator keeps the newest changes since its start"
      )
    }
    return try trace(event)
  }

  /// Delivers a delivery's event again.
  ///
  /// - Parameter id: The id of the delivery.
  func replay(_ id: String) async throws(StatusError) -> ServiceResponse {
    .json(DeliveryReport(try await dispatcher.redeliver(id)))
  }

  // MARK: Fixtures

  /// The body of `/api/recording`.
  struct RecordingSwitch: Codable {
    var on: Bool
  }

  /// The response with the state of the recording.
  var recording: ServiceResponse { .json(RecordingSwitch(on: recorder.keepsNewest)) }

  /// Switches the recording of invocations on or off.
  func setRecording(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    recorder.keepsNewest = try members(of: request, ["on"], RecordingSwitch.self).on
    return recording
  }

  /// Returns the fixture of an invocation as a file.
  ///
  /// - Parameter id: The id of a delivery or a call.
  func fixture(_ id: String) async throws(StatusError) -> ServiceResponse {
    let fixture = try await makeFixture(recorder.kept(id))
    var response = ServiceResponse.json(try fixture.file)
    response.headers.append(
      ("content-disposition", "attachment; filename=\"\(fixture.fileName)\"")
    )
    return response
  }
}
