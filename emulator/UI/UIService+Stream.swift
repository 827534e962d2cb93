import Core
import Delivery
import FirestoreAPI
import FirestoreProtos
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
    response.headers.append(("cache-control", "no-cache"))
    return response
  }

  /// Passes a ListenRequest in a request's body to a session of a stream.
  ///
  /// A request without an `Authorization` header comes from an administrator.
  func listen(_ id: String, _ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let message: ProtoListenRequest
    do throws(StatusError) {
      message = try ProtoListenRequest(json: request.body)
    } catch {
      throw StatusError(.invalidArgument, "the request's body \(error.message)")
    }
    let context =
      if request.headers["authorization"] == nil {
        RequestContext(caller: .admin)
      } else {
        try firestore.context(of: request)
      }
    guard let number = Int(request[query: "session"] ?? "0") else {
      throw StatusError(.invalidArgument, "session is not a number")
    }
    try streams[id].sessions.session(number, context).receive(message)
    return .json(JSONValue.object([:]))
  }

  /// Sets the topics of a stream.
  func setTopics(_ id: String, _ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let topics = try request.json([ActivityFeed.Topic].self)
    try streams[id].topics = Set(topics)
    return .json(topics)
  }
}
