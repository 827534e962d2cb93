import Core
import Foundation
import Synchronization

/// A small HTTP server on 127.0.0.1 that answers each request with a closure of the test.
///
/// The server has its own threads, so a closure that blocks doesn't block the tests.
package final class LoopbackServer: Sendable {
  /// A step of a connection that the server observes.
  package enum Event: Hashable, Sendable {
    case connected
    case requested
    case disconnected
  }

  /// A closure that answers one request. It returns `false` to close the connection.
  package typealias Answer = @Sendable (ReceivedRequest, ServerConnection) -> Bool

  private struct State {
    package var requests: [ReceivedRequest] = []
    var connectionCount = 0
    var open: Set<Int32> = []
    var isStopped = false
  }

  package let port: UInt16
  /// The observed events in order. Only one task may read them.
  package let events: AsyncStream<Event>
  private let listener: Int32
  private let eventSink: AsyncStream<Event>.Continuation
  private let answer: Answer
  private let state = Mutex(State())

  package init(_ answer: @escaping Answer) throws {
    (listener, port) = try LoopbackSocket.bound()
    self.answer = answer
    (events, eventSink) = AsyncStream.makeStream()
    guard listen(listener, 128) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { self.accept() }
  }

  /// Returns the URL of a path on this server.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  package var requests: [ReceivedRequest] { state.withLock { $0.requests } }
  package var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Reads `events` up to the next occurrence of an event, and waits for it if necessary.
  package func wait(for event: Event) async {
    for await next in events where next == event { return }
  }

  /// Closes all connections and stops listening.
  ///
  /// The server connects to itself, because only a connection ends a blocked `accept`.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    if let descriptor = LoopbackSocket.connected(to: port) { close(descriptor) }
  }

  private func accept() {
    while true {
      #if canImport(Darwin)
        let descriptor = Darwin.accept(listener, nil, nil)
      #else
        let descriptor = Glibc.accept(listener, nil, nil)
      #endif
      guard descriptor >= 0 else { continue }
      let isStopped = state.withLock { state in
        if !state.isStopped {
          state.connectionCount += 1
          state.open.insert(descriptor)
        }
        return state.isStopped
      }
      if isStopped {
        close(descriptor)
        close(listener)
        eventSink.finish()
        return
      }
      eventSink.yield(.connected)
      Thread.detachNewThread { self.serve(ServerConnection(descriptor)) }
    }
  }

  private func serve(_ connection: ServerConnection) {
    while let request = connection.receive() {
      state.withLock { $0.requests.append(request) }
      eventSink.yield(.requested)
      guard answer(request, connection) else { break }
    }
    state.withLock { state in
      state.open.remove(connection.descriptor)
      close(connection.descriptor)
    }
    eventSink.yield(.disconnected)
  }
}
