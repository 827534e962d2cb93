import NIOCore

/// What one connection may ask of a server: time and order.
package struct ConnectionLimits: Sendable {
  /// From a request's first byte to the end of its head.
  package var headTime = Duration.seconds(10)
  /// From there to the end of its body.
  package var bodyTime = Duration.seconds(30)
  /// How long the other side has to read a connection's last answer.
  package var lingering = Duration.seconds(2)
  /// How many connections there may be at once; what comes then is closed.
  package var connections = 4_096

  package init() {}
}

/// How far a connection's requests have come. Both ends of the pipeline know of it.
final class RequestProgress {
  enum Phase {
    /// Between requests.
    case idle
    case head
    case body
    /// The connection ends: what still comes is not read any more.
    case over
  }

  /// Of the request that is being read.
  var phase = Phase.idle
  /// Whether that asks for no body.
  var isHead = false
  /// Whether its answer has begun all the same.
  var hasAnswer = false
  /// Requests that are whole and not answered: several, if the client doesn't wait for answers.
  var unanswered = 0

  /// Whether half a request is there, and nothing before it is owed an answer.
  var awaitsRest: Bool { unanswered == 0 && (phase == .head || phase == .body) }
}

/// Sent outward when the requests before one that isn't whole are answered.
struct RestIsAwaited {}
