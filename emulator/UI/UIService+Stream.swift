import Core
import Delivery
import HTTPService

extension UIService {
  /// Returns a response that opens a stream.
  func openStream() throws(StatusError) -> ServiceResponse {
    try streams.refuseIfFull()
    // Open the stream when the response is sent. A response that is never sent then leaves no
    // stream open.
    var response = ServiceResponse.stream(contentType: "text/event-stream; charset=utf-8") {
      [streams] writer in
      let stream = try streams.open()
      defer { streams.close(stream) }
      try await stream.send(&writer)
    }
    response.endsWithClient = true
    response.headers.append(("cache-control", "no-cache"))
    return response
  }

  /// Sets the topics of a stream.
  func setTopics(_ id: String, _ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let topics = try request.json([ActivityFeed.Topic].self)
    try streams[id].topics = Set(topics)
    return .json(topics)
  }
}
