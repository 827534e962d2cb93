import Core
import HTTPClient
import HTTPService
import ProviderFakes
import ProviderProxy
import Providers
import Synchronization
import TestKit
import Testing

/// Requests that the emulator forwards to a real provider, and the provider's responses.
@Suite(.timeLimit(.minutes(10)))
struct LiveProviderTests {
  private static let chat = "/v1/chat/completions"

  @Test(arguments: [
    (ProviderName.openai, "/base/v1", chat, "/base/v1/chat/completions", "authorization"),
    (.anthropic, "/", "/v1/messages", "/v1/messages", "x-api-key"),
    (
      .translation, "", "/language/translate/v2?key=emulator&prettyPrint=false",
      "/language/translate/v2?prettyPrint=false", "x-goog-api-key"
    ),
    (
      .fcm, "/", "/v1/projects/demo/messages:send", "/v1/projects/demo/messages:send",
      "authorization"
    ),
  ])
  func `a request is forwarded with the real key and without the emulator's headers`(
    provider: ProviderName,
    base: String,
    path: String,
    target: String,
    header: String
  ) async throws {
    let server = try LoopbackServer(
      answers: [.init(201, headers: ["X-Request-ID: r1", "Retry-After: 7"], #"{"a":1}"#)]
    )
    defer { server.stop() }
    let passing = try Passing(provider, at: server.url(base))
    let response = try await passing.send(path, #"{"q":"Ciao, però"}"#)
    #expect(response.status == 201)
    #expect(response.text == #"{"a":1}"#)
    #expect(response.headers.map(\.name) == ["retry-after"])
    let received = try #require(server.requests.first)
    #expect(received.target == target)
    #expect(received.method == "POST")
    #expect(received.body == Data(#"{"q":"Ciao, però"}"#.utf8))
    let bearer = header == "authorization" ? "Bearer " : ""
    #expect(received.headers[header] == bearer + Passing.key)
    for value in received.headers.map(\.value) { #expect(!value.contains("emulator-")) }
    #expect(received.headers["traceparent"] == nil)
    #expect(received.headers["content-type"] == "application/json")
    #expect(passing.problems == [])
  }

  @Test func `LibreTranslate's key is in the body if there is one`() async throws {
    let server = try LoopbackServer(answers: [.init(200, "{}")])
    defer { server.stop() }
    let body = #"{"api_key":"emulator-translation-key","q":["Hi"]}"#
    _ = try await Passing(.translation, at: server.url()).send("/translate", body)
    _ = try await Passing(.translation, at: server.url(), credential: .none)
      .send("/translate", body)
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == [#"{"api_key":"\#(Passing.key)","q":["Hi"]}"#, #"{"q":["Hi"]}"#])
    #expect(server.requests.allSatisfy { $0.headers["x-goog-api-key"] == nil })
  }

  @Test func `pushes can be validated only`() async throws {
    let server = try LoopbackServer(answers: [.init(200, "{}")])
    defer { server.stop() }
    let passing = try Passing(.fcm, at: server.url(), validatesOnly: true)
    _ = try await passing.send(
      "/v1/projects/p/messages:send",
      #"{"message":{},"validateOnly":false}"#
    )
    #expect(server.requests.first?.body == Data(#"{"message":{},"validate_only":true}"#.utf8))
  }

  @Test func `a stream is forwarded as it arrives`() async throws {
    let (goOn, isRead) = AsyncStream.makeStream(of: Void.self)
    let rest = Meeting(of: 2)
    let server = try LoopbackServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
          + "data: {\"n\":1}\n\n"
      )
      rest.join()
      connection.send("data: {\"n\":2}\n\n")
      return false
    }
    defer { server.stop() }
    let response = try await Passing(.openai, at: server.url("/v1"))
      .send(Self.chat, #"{"stream":true}"#)
    #expect(response.headers.contains { $0 == ("content-type", "text/event-stream") })
    let stream = try #require(response.stream)
    let pieces = Pieces { isRead.yield() }
    async let sent: Void = {
      var writer: any ServiceResponseWriter = pieces
      try await stream(&writer)
    }()
    // The server sends the second event only after the first one has arrived here.
    for await _ in goOn { break }
    #expect(pieces.text == "data: {\"n\":1}\n\n")
    rest.join()
    try await sent
    #expect(pieces.text == "data: {\"n\":1}\n\ndata: {\"n\":2}\n\n")
  }

  @Test func `an interrupted stream is cut and not recorded`() async throws {
    try await withTemporaryFolder { folder in
      let server = try LoopbackServer { _, connection in
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\ndata: {}"
        )
        return false
      }
      defer { server.stop() }
      let recorder = try CassetteRecorder(CassetteFolder(path: folder))
      let passing = try Passing(.openai, at: server.url("/v1"), recorder: recorder)
      let response = try await passing.send(Self.chat)
      await #expect(throws: StatusError.self) { try await response.collected() }
      #expect(passing.problems.count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  // MARK: Failures

  @Test func `an unreachable provider results in a 502 in the provider's error format`()
    async throws
  {
    for (provider, path, member) in [
      (ProviderName.openai, Self.chat, "type"), (.anthropic, "/v1/messages", "type"),
      (.translation, "/language/translate/v2", "status"),
    ] {
      let passing = try Passing(provider, at: "http://127.0.0.1:1")
      let response = try await passing.send(path)
      #expect(response.status == 502)
      #expect(try json(response.text).at("error.\(member)")?.string != nil)
      #expect(passing.problems.first?.hasPrefix("\(provider.rawValue): POST http://") == true)
    }
  }

  @Test func `a provider that doesn't answer results in a 504`() async throws {
    let server = try LoopbackServer { _, connection in connection.stall() }
    defer { server.stop() }
    let passing = try Passing(.openai, at: server.url("/v1"), timeout: .milliseconds(50))
    #expect(try await passing.send(Self.chat).status == 504)
  }

  @Test func `an endless answer results in a 502`() async throws {
    let piece = String(repeating: "x", count: 1 << 20)
    let server = try LoopbackServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
      return connection.drip(piece)
    }
    defer { server.stop() }
    let passing = try Passing(.openai, at: server.url("/v1"))
    #expect(try await passing.send(Self.chat).status == 502)
    #expect(passing.problems.first?.contains("more than") == true)
  }

  @Test func `a redirect isn't followed and its location isn't forwarded`() async throws {
    let elsewhere = try LoopbackServer(answers: [.init()])
    let server = try LoopbackServer(
      answers: [.init(307, headers: ["Location: \(elsewhere.url())"])]
    )
    defer {
      server.stop()
      elsewhere.stop()
    }
    let passing = try Passing(.openai, at: server.url("/v1"))
    let response = try await passing.send(Self.chat)
    #expect(response.status == 307)
    #expect(response.headers.isEmpty)
    #expect(elsewhere.requests.isEmpty)
    #expect(passing.problems == ["openai: a redirect (307) isn't followed"])
  }

  @Test(.enabled(if: OpenSSLServer.isInstalled, "the openssl tool is not installed"))
  func `only a server with a valid certificate gets the key`() async throws {
    let server = try OpenSSLServer()
    defer { server.stop() }
    for (host, file, status) in [
      ("localhost", Optional(server.certificate), 200), ("localhost", nil, 502),
      ("127.0.0.1", server.certificate, 502),
    ] {
      let transport = HTTPClient.forTests(
        HTTPClientConfiguration(authorities: .named(file: file, directory: nil))
      )
      let passing = try Passing(
        .openai,
        at: "https://\(host):\(server.port)/v1",
        transport: transport
      )
      let request = ServiceRequest(method: "GET", path: ["v1", "models"])
      let response = try await passing.send(request)
      #expect(response.status == status)
      #expect(passing.problems.isEmpty == (status == 200))
    }
  }

  @Test(arguments: [
    "http://example.com", "ftp://127.0.0.1", "example.com", "http://127.0.0.1/?a=b",
  ])
  func `an address that would leak a key is refused`(url: String) {
    #expect(throws: StatusError.self) { try ProviderTarget(.openai, baseURL: url) }
  }
}

/// A writer that collects what a stream has written so far.
private final class Pieces: ServiceResponseWriter, Sendable {
  private let written = Mutex("")
  private let onFlush: @Sendable () -> Void

  init(onFlush: @escaping @Sendable () -> Void) { self.onFlush = onFlush }

  var text: String { written.withLock(\.self) }

  func write(_ bytes: Data) {
    written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
  }

  func flush() { onFlush() }
}
