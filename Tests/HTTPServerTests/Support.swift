import Core
import Foundation
import HTTPServer
import HTTPService
import Logging
import ServiceLifecycle
import Synchronization
import TestKit

/// Returns everything up to the server's close. The wait is on a thread of its own, because the
/// server runs in this process, on the same threads as the tests.
func answer(on connection: RawConnection) async throws -> String {
  let bytes = try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try connection.readToEnd() })
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Returns everything up to the text.
func answer(on connection: RawConnection, upTo end: String) async throws -> String {
  let bytes = try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try connection.read(upTo: end) })
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Returns a connection whose request was read, and the beginning of the answer.
///
/// On a busy machine, much time may pass between connecting and sending, so that the connection
/// counts as idle, or a closed connection still counts. Then there is no answer, and the request is
/// sent again.
func answered(
  _ request: String,
  port: Int,
  upTo end: String? = nil,
  prepare: (RawConnection) -> Void = { _ in }
) async throws -> (connection: RawConnection, answer: String) {
  while true {
    try Task.checkCancellation()
    let connection = try RawConnection(port: port)
    connection.send(request)
    prepare(connection)
    let answer =
      if let end {
        try await answer(on: connection, upTo: end)
      } else {
        try await answer(on: connection)
      }
    if answer != "" { return (connection, answer) }
  }
}

/// Returns the status of each answer, in order.
func statuses(_ answers: String) -> [String] {
  answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
}

/// A gate at which requests for `/gate` wait until it is opened, one at a time.
struct Gate: Sendable {
  private let waiting: AsyncStream<Never>
  private let opening: AsyncStream<Never>.Continuation
  private let arriving: AsyncStream<Never>
  private let arrival: AsyncStream<Never>.Continuation
  private let opened = Opened()

  private final class Opened: Sendable {
    let isTrue = Atomic(false)
  }

  init() {
    (waiting, opening) = AsyncStream.makeStream()
    (arriving, arrival) = AsyncStream.makeStream()
  }

  var isOpen: Bool { opened.isTrue.load(ordering: .acquiring) }

  /// Waits until a request waits at the gate.
  func reached() async { for await _ in arriving {} }

  func open() {
    opened.isTrue.store(true, ordering: .releasing)
    opening.finish()
  }

  func pass() async {
    arrival.finish()
    for await _ in waiting {}
  }
}

/// Counts the requests that were read and not begun.
final class Waiting: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  var most: Int { counts.withLock(\.most) }

  func begin() {
    counts.withLock { counts in
      counts.now += 1
      counts.most = max(counts.most, counts.now)
    }
  }

  func end() { counts.withLock { $0.now -= 1 } }
}

/// A service that answers with the requested path, except for some paths:
///
/// - `/stream`: several pieces
/// - `/host`: the authority of the request
/// - `/accept`: the Accept header
/// - `/origin`: the Origin header
/// - `/odd`: invalid headers
/// - `/large`: a large body
/// - `/endless`: a body without end; opens the gate when its client has closed the connection
/// - `/status`: the status in the path
/// - `/gate` and `/gate/stream`: wait at the gate
/// - `/open`: opens the gate
struct PathService: HTTPService, RequestPolicy {
  let name = "paths"
  /// More than the sockets' buffers hold.
  static let large = String(repeating: "x", count: 16 << 20)
  let maximumBodyBytes = 1_024
  var gate = Gate()
  var waiting = Waiting()

  func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  func respond(to request: ServiceRequest) async -> ServiceResponse {
    waiting.end()
    switch request.path {
    case ["host"]: return .text("[\(request.authority ?? "")]")
    case ["accept"]: return .text("[\(request.headers["accept"] ?? "")]")
    case ["origin"]: return .text("[\(request.headers["origin"] ?? "")]")
    case ["odd"]:
      var response = ServiceResponse.text("odd")
      response.headers += [("ä", "1"), ("", "2"), ("a b", "3"), ("x", "4\r\n5"), ("date", "today")]
      return response
    case ["large"]: return .text(Self.large)
    case ["endless"]:
      return .stream(contentType: "text/plain") { [gate] writer in
        defer { gate.open() }
        let piece = Data(repeating: 0, count: 1 << 16)
        while true { try await writer.write(piece) }
      }
    case ["status", "204"]: return .text("no", status: 204)
    case ["status", "304"]: return .text("no", status: 304)
    case ["open"]:
      gate.open()
      return .text("/open")
    case ["gate"]:
      await gate.pass()
      return .text("/gate")
    case ["stream"], ["gate", "stream"]:
      return .stream(contentType: "text/plain") { [gate] writer in
        for piece in ["one ", "two ", "three"] {
          try await writer.write(Data(piece.utf8))
          try await writer.flush()
          if request.path.first == "gate" { await gate.pass() }
        }
      }
    default: return .text("/" + request.path.joined(separator: "/"))
    }
  }

  func answer(to head: RequestHead) -> ServiceResponse? {
    waiting.begin()
    return nil
  }

  func headers(for head: RequestHead) -> [(name: String, value: String)] { [] }
}

/// Runs `body` with a listener of a `PathService`.
///
/// - Parameters:
///   - limits: `nil` for a port like the emulator's.
///   - idleTime: the maximum time of a connection without requests.
///   - gate: where requests for `/gate` wait.
///   - waiting: counts requests that wait to be begun.
///   - end: opened to end the server.
///   - shutdown: the time that running requests have then.
///   - unread: bounds unread responses.
///   - ended: opened when the server has ended.
func withListener(
  _ limits: ConnectionLimits? = ConnectionLimits(),
  idleTime: Duration = .seconds(75),
  gate: Gate = Gate(),
  waiting: Waiting = Waiting(),
  end: Gate = Gate(),
  shutdown: Duration = .seconds(20),
  unread: UnreadResponses = .shared,
  ended: Gate = Gate(),
  onRefusal: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
  _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
  let (ports, onReady) = AsyncStream<Int>.makeStream()
  var timeouts = HTTPListener.Timeouts()
  timeouts.http1 = idleTime
  timeouts.shutdown = shutdown
  let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  let service = PathService(gate: gate, waiting: waiting)
  let listener = HTTPListener(
    service,
    host: "127.0.0.1",
    port: 0,
    policy: service,
    timeouts: timeouts,
    limits: limits,
    unread: unread,
    logger: logger,
    onRefusal: onRefusal
  ) { onReady.yield($0) }
  let services = ServiceGroup(services: [listener], logger: logger)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer {
        onReady.finish()
        ended.open()
      }
      try await services.run()
    }
    group.addTask {
      await end.pass()
      await services.triggerGracefulShutdown()
    }
    defer { group.cancelAll() }
    for await port in ports { return try await body(port) }
    try await group.next()
  }
}
