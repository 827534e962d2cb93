import Core
import HTTPClient
import Synchronization
import TestKit
import Testing

/// Tasks that run on the transport's thread.
@Suite(.timeLimit(.minutes(10)))
struct ExecutorTests {
  @Test func `a task stays on the transport's thread between requests`() async throws {
    let server = try LoopbackServer { _, connection in connection.answer(body: Data("a".utf8)) }
    defer { server.stop() }
    let (transport, receiver) = (HTTPClient.forTests(), ThreadReceiver())
    var request = HTTPRequest.get(server.url())
    request.receiver = receiver
    let threads = try await withTaskExecutorPreference(transport) { [request] in
      var threads = [ThreadReceiver.thread]
      for _ in 1...3 {
        _ = try await transport.send(request, deadline: .generous)
        threads.append(ThreadReceiver.thread)
      }
      return threads
    }
    #expect(receiver.threads.count == 1)
    #expect(Set(threads) == receiver.threads)
  }

  @Test(arguments: [true, false])
  func `transfers continue while a task waits for input or its end`(isInput: Bool) async throws {
    let server = try LoopbackServer { $1.answer(body: $0.body) }
    defer { server.stop() }
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (input, output) = (ends[0], ends[1])
    defer { close(input) }
    let transport = HTTPClient.forTests()
    let url = server.url()
    try await withTaskExecutorPreference(transport) { () async throws in
      async let hasInput: Void = transport.waitForInput(on: [input])
      for _ in 1...3 {
        let response = try await transport.send(.get(url), deadline: .generous)
        #expect(response.status == 200)
      }
      if isInput { #expect(write(output, "a", 1) == 1) }
      close(output)
      await hasInput
    }
    #expect(server.connectionCount == 1)
  }

  @Test func `a task continues after its transport has ended`() async {
    let transport = HTTPClient.forTests()
    await withTaskExecutorPreference(transport) {
      async let hasInput: Void = transport.waitForInput(on: [])
      await transport.shutDown()
      await hasInput
      await transport.waitForInput(on: [])
      let error = await #expect(throws: StatusError.self) {
        try await transport.send(.get("http://127.0.0.1:9"), deadline: .generous)
      }
      #expect(error?.code == .cancelled)
    }
  }
}

/// A recorder of the threads on which responses arrive.
private final class ThreadReceiver: ResponseReceiver {
  private let state = Mutex<Set<String>>([])

  var threads: Set<String> { state.withLock(\.self) }

  static var thread: String { "\(pthread_self())" }

  func begin(status: Int, headers: [HTTPHeader]) {}

  func receive(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { _ = $0.insert(Self.thread) }
  }
}
