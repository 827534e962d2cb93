import NIOCore

/// What one connection may ask of a server: time and order.
package struct ConnectionLimits: Sendable {
  /// From a request's first byte to the end of its head.
  package var headTime = Duration.seconds(10)
  /// From there to the end of its body.
  package var bodyTime = Duration.seconds(30)
  /// How long the other side has to read an answer that was given before its request was whole.
  package var lingering = Duration.seconds(2)
  /// How many connections there may be at once; what comes then is closed.
  package var connections = 4_096

  package init() {}
}

/// How far a connection's request has come. Both ends of the pipeline know of it.
final class RequestProgress {
  enum Phase {
    /// Between requests.
    case idle
    case head
    case body
    /// The request is whole, and its answer under way.
    case answering
    /// The connection ends: what still comes is not read any more.
    case over
  }

  var phase = Phase.idle
  /// Whether the request asks for no body.
  var isHead = false
  /// Requests that are whole and not answered: several, if the client doesn't wait for answers.
  var unanswered = 0
  /// Whether an answer has begun since the last request did.
  var hasAnswer = false
}
