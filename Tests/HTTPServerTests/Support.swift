import Core
import Foundation
import HTTPServer
import HTTPService
import Logging
import ServiceLifecycle
import Synchronization
import TestKit

/// Returns all bytes that arrive until the server closes the connection, as text.
///
/// The wait needs another thread, because the server runs on the same threads as the tests.
func answer(on connection: RawConnection) async throws -> String {
  let bytes = try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try connection.readToEnd() })
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Returns all bytes that arrive until they end with the text.
func answer(on connection: RawConnection, upTo end: String) async throws -> String {
  let bytes = try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try connection.read(upTo: end) })
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Returns a connection whose request the server has read, and the beginning of the response.
///
/// The request is sent again if no response comes. On a busy machine, the server may close the
/// connection as idle before the request arrives, or may still count a closed connection.
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

/// Returns the statuses of the responses in order.
func statuses(_ answers: String) -> [String] {
  answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
}

/// A gate that makes a request for `/gate` wait until the test opens the gate. Only one request at
/// a time may wait.
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

  /// Waits until a request has arrived at the gate.
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

/// A count of the requests that the server has read but not started.
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

/// A service that responds with the request's path, except for these paths:
///
/// - `/stream`: the response has several pieces.
/// - `/host`: the response is the request's authority.
/// - `/accept`: the response is the `Accept` header field.
/// - `/origin`: the response is the `Origin` header field.
/// - `/odd`: the response has invalid header fields.
/// - `/large`: the response has a large body.
/// - `/endless`: the response's body doesn't end. The gate opens when the client has closed the
///   connection.
/// - `/status`: the response's status is in the path.
/// - `/gate` and `/gate/stream`: the request waits at the gate.
/// - `/open`: the request opens the gate.
/// - `/sum`: the body is read while it arrives, and the response is its length. The gate opens when
///   the first bytes have arrived.
/// - `/sum/gate`: the body is read after the request has waited at the gate.
/// - `/early`: the response doesn't wait for the body, which is announced as a stream.
/// - `/failure`: the body is read; when it fails, the gate opens.
struct PathService: HTTPService, RequestPolicy {
  let name = "paths"
  /// The body of `/large`, which exceeds the sockets' buffers.
  static let large = String(repeating: "x", count: 16 << 20)
  func maximumBodyBytes(of head: RequestHead) -> Int { 1_024 }
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
    case ["sum"]: return await sum(request)
    case ["sum", "gate"]:
      await gate.pass()
      return await sum(request)
    case ["early"]: return .text("early")
    case ["failure"]:
      let response = await sum(request)
      gate.open()
      return response
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

  /// Reads the body while it arrives, and returns its length.
  private func sum(_ request: ServiceRequest) async -> ServiceResponse {
    var count = 0
    do throws(StatusError) {
      while let piece = try await request.stream?.next() {
        if count == 0, request.path == ["sum"] { gate.open() }
        count += piece.count
      }
      return .text("\(count)")
    } catch {
      return .error(error)
    }
  }

  func streamsBody(of head: RequestHead) -> Bool {
    ["/sum", "/early", "/failure"].contains { head.target.hasPrefix($0) }
  }

  func answer(to head: RequestHead) -> ServiceResponse? {
    waiting.begin()
    return nil
  }

  func headers(for head: RequestHead) -> [(name: String, value: String)] { [] }
}

/// Runs `body` with the port of a listener with a `PathService`.
///
/// - Parameters:
///   - limits: the limits of connections, or `nil` for none, as on the emulator's ports.
///   - idleTime: the time after which the server closes a connection without requests.
///   - gate: the gate for requests for `/gate`.
///   - waiting: the count of requests that wait to be started.
///   - end: a gate whose opening shuts the server down.
///   - shutdown: the time that running requests have at shutdown.
///   - unread: the limit for unread responses.
///   - ended: a gate that opens when the server has ended.
///   - webSockets: the server of WebSocket connections, or `nil` for none.
func withListener(
  _ limits: ConnectionLimits? = ConnectionLimits(),
  idleTime: Duration = .seconds(75),
  gate: Gate = Gate(),
  waiting: Waiting = Waiting(),
  end: Gate = Gate(),
  shutdown: Duration = .seconds(20),
  unread: UnreadResponses = .shared,
  ended: Gate = Gate(),
  webSockets: (any WebSocketServer)? = nil,
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
    webSockets: webSockets,
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
