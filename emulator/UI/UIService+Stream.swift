import Core
import Delivery
import FirestoreProtos
import HTTPService

extension UIService {
  func openStream() throws(StatusError) -> ServiceResponse {
    try streams.refuseIfFull()
    // Opened when the answer is sent: one that never is has nothing to close.
    var response = ServiceResponse.stream(contentType: "text/event-stream; charset=utf-8") {
      [streams] writer in
      let stream = try streams.open()
      defer { streams.close(stream) }
      try await stream.send(&writer)
    }
    response.headers.append(("cache-control", "no-cache"))
    return response
  }

  func listen(_ id: String, _ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let message: ProtoListenRequest
    do throws(StatusError) {
      message = try ProtoListenRequest(json: request.body)
    } catch {
      throw StatusError(.invalidArgument, "the request's body \(error.message)")
    }
    try streams[id].listen(message)
    return .json(JSONValue.object([:]))
  }

  func setTopics(_ id: String, _ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let topics = try request.json([ActivityFeed.Topic].self)
    try streams[id].topics = Set(topics)
    return .json(topics)
  }
}
