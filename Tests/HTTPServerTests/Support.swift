import Foundation
import HTTPServer
import HTTPService
import HTTPTypes
import Logging
import Platform
import TestKit

/// What comes until the server closes. Waits on a thread of its own: the server is in this process,
/// and has its tasks on the threads that tests have theirs on.
func answer(on connection: RawConnection) async throws -> String {
  let bytes = try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try connection.readToEnd() })
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Answers with the path it was asked for, `/stream` in pieces.
struct PathService: HTTPService, RequestPolicy {
  let name = "paths"
  let maximumBodyBytes = 1_024

  func respond(to request: ServiceRequest) -> ServiceResponse {
    guard request.path == ["stream"] else {
      return .text("/" + request.path.joined(separator: "/"))
    }
    return .stream(contentType: "text/plain") { writer in
      for piece in ["one ", "two ", "three"] {
        try await writer.write(Data(piece.utf8))
        try await writer.flush()
      }
    }
  }

  func answer(to head: HTTPRequest) -> ServiceResponse? { nil }
  func headers(for head: HTTPRequest) -> [(name: String, value: String)] { [] }
}

/// - Parameter limits: nil for a port as the emulator's are.
func withListener(
  _ limits: ConnectionLimits? = ConnectionLimits(),
  onRefusal: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
  _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
  let (ports, onReady) = AsyncStream<Int>.makeStream()
  let listener = HTTPListener(
    PathService(),
    host: "127.0.0.1",
    port: 0,
    portOption: "--port",
    policy: PathService(),
    limits: limits,
    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    onRefusal: onRefusal
  ) { onReady.yield($0) }
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { onReady.finish() }
      try await listener.run()
    }
    defer { group.cancelAll() }
    for await port in ports { return try await body(port) }
    try await group.next()
  }
}
