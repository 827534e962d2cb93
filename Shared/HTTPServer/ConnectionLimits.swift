import NIOCore

/// The time limits of connections, and their maximum number.
package struct ConnectionLimits: Sendable {
  /// The time from a request's first byte to the end of its head.
  package var headTime = Duration.seconds(10)
  /// The time from the end of the head to the end of the body.
  package var bodyTime = Duration.seconds(30)
  /// The time in which the client can read a connection's last response.
  package var lingering = Duration.seconds(2)
  /// The maximum number of connections; further ones are closed.
  package var connections = 4_096

  package init() {}
}

/// The progress of a connection's requests, shared by both ends of the pipeline.
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
  /// A Boolean value that indicates whether that request's method is HEAD.
  var isHead = false
  /// A Boolean value that indicates whether the response to that request has begun.
  var hasAnswer = false
  /// The number of complete requests without a response; pipelining allows several.
  var unanswered = 0

  /// A Boolean value that indicates whether a request is incomplete and all earlier ones have
  /// responses.
  var awaitsRest: Bool { unanswered == 0 && (phase == .head || phase == .body) }
}

/// An outbound event, sent when an incomplete request is awaited and all earlier ones have
/// responses.
struct RestIsAwaited {}
