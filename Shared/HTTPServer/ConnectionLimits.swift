import NIOCore

/// The time limits of connections, and their maximum number.
package struct ConnectionLimits: Sendable {
  /// The maximum time from a request's first byte to the end of its head.
  package var headTime = Duration.seconds(10)
  /// The maximum time from the end of a request's head to the end of its body.
  package var bodyTime = Duration.seconds(30)
  /// The time for which a connection stays open after its last response, so that the client can
  /// read the response.
  package var lingering = Duration.seconds(2)
  /// The maximum number of connections. Further connections are closed at once.
  package var connections = 4_096

  package init() {}
}

/// The progress of a connection's requests. The handlers before and after the parser share it.
final class RequestProgress {
  enum Phase {
    /// Between two requests.
    case idle
    case head
    case body
    /// The connection is closing: further input is ignored.
    case over
  }

  /// The phase of the request that is being read.
  var phase = Phase.idle
  /// A Boolean value that indicates whether the method of the request that is being read is HEAD.
  var isHead = false
  /// A Boolean value that indicates whether the response to the request that is being read has
  /// begun.
  var hasAnswer = false
  /// The number of complete requests without a response. With pipelining there may be several.
  var unanswered = 0

  /// A Boolean value that indicates whether a request is incomplete and all earlier requests have
  /// responses.
  var awaitsRest: Bool { unanswered == 0 && (phase == .head || phase == .body) }
}

/// An event sent through the pipeline when all complete requests have responses and the rest of
/// another request is awaited.
struct RestIsAwaited {}
