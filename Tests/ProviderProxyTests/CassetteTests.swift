import Core
import HTTPService
import ProviderFakes
import Synchronization
import TestKit
import Testing

@testable import ProviderProxy

/// Recorded exchanges with providers, and their playback.
struct CassetteTests {
  private static let chat = "/v1/chat/completions"

  /// Sends requests to a provider that gives these answers, and records the exchanges in a folder.
  private static func record(
    _ provider: ProviderName,
    _ requests: [(path: String, body: String)],
    _ answers: [ScriptedAnswer],
    in folder: String
  ) async throws -> Passing {
    let server = try LoopbackServer(answers: answers)
    defer { server.stop() }
    let passing = try Passing(
      provider,
      at: server.url(provider == .openai ? "/v1" : ""),
      recorder: CassetteRecorder(CassetteFolder(path: folder))
    )
    for request in requests {
      _ = try await passing.send(request.path, request.body).collected()
    }
    return passing
  }

  private static func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private static func text(_ folder: String) throws -> String {
    try files(folder).map { name in
      String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
    }.joined()
  }

  /// A provider that plays back the exchanges in a folder.
  private struct Played {
    private let provider: CassetteProvider
    private let reported = Problems()

    private final class Problems: Sendable { let all = Mutex<[String]>([]) }

    init(_ provider: ProviderName, in folder: String) throws(StatusError) {
      let exchanges = try CassetteFolder(path: folder).exchanges(of: provider)
      let reported = reported
      self.provider = CassetteProvider(exchanges) { problem in
        reported.all.withLock { $0.append(problem) }
      }
    }

    var problems: [String] { reported.all.withLock(\.self) }

    func send(_ path: String, _ body: String) async throws -> ServiceResponse {
      try await provider.respond(to: Passing.request(path, body))
    }
  }

  @Test func `recorded answers are played in their order, and the last one is repeated`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let (one, two) = (#"{"n":1}"#, #"{ "n": 2 }"#)
      let stream = "data: {\"a\":\"ü\"}\n\ndata: [DONE]\n\n"
      let passing = try await Self.record(
        .openai,
        [(Self.chat, one), (Self.chat, one), (Self.chat, two)],
        [
          .init(429, headers: ["Retry-After: 3", "X-Should-Retry: true"], #"{"error":{}}"#),
          .init(200, headers: ["Content-Type: text/event-stream"], stream), .init(200, "[2]"),
        ],
        in: folder
      )
      #expect(passing.problems == [])
      #expect(
        try Self.files(folder) == (1...3).map { "openai-00000\($0).json" }
      )
      let played = try Played(.openai, in: folder)
      let busy = try await played.send(Self.chat, one)
      #expect(busy.status == 429)
      #expect(busy.headers.contains { $0 == ("retry-after", "3") })
      #expect(busy.headers.contains { $0 == ("x-should-retry", "true") })
      for _ in 1...3 {
        let response = try await played.send(Self.chat, one)
        #expect(response.text == stream)
        #expect(response.headers.contains { $0 == ("content-type", "text/event-stream") })
      }
      #expect(try await played.send(Self.chat, #"{"n":2}"#).text == "[2]")
      #expect(played.problems == [])
    }
  }

  @Test func `an unrecorded request is refused with its path and without its content`() async throws
  {
    try await withTemporaryFolder { folder in
      _ = try await Self.record(
        .openai,
        [(Self.chat, #"{"messages":[{"content":"secret words"}]}"#)],
        [.init(200, "{}")],
        in: folder
      )
      let played = try Played(.openai, in: folder)
      for path in [Self.chat, "/v1/embeddings"] {
        let error = await #expect(throws: StatusError.self) {
          try await played.send(path, #"{"messages":[{"content":"other words"}]}"#)
        }
        #expect(error?.code == .unimplemented)
      }
      #expect(
        played.problems == [
          "POST /v1/chat/completions was recorded with different values of "
            + "body.messages[0].content",
          "POST /v1/embeddings was not recorded",
        ]
      )
    }
  }

  @Test func `a cassette contains no key or token, and requests with them still match`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let push = #"{"message":{"token":"phone-of-marco","data":{"text":"Ciao"}}}"#
      let body = #"{"api_key":"emulator-translation-key","q":["Hi"]}"#
      _ = try await Self.record(
        .fcm,
        [("/v1/projects/p/messages:send", push)],
        [.init(200, #"{"name":"projects/p/messages/1"}"#)],
        in: folder
      )
      _ = try await Self.record(
        .translation,
        [("/translate", body), ("/language/translate/v2?key=emulator-key", "{}")],
        [.init(403, #"{"error":"\#(Passing.key) is not known"}"#), .init(200, "{}")],
        in: folder
      )
      let text = try Self.text(folder)
      for word in [Passing.key, "phone-of-marco", "emulator-", "uthorization", "traceparent"] {
        #expect(!text.contains(word), "\(word) is on a cassette")
      }
      #expect(text.contains("Ciao") && text.contains("[key] is not known"))
      let pushes = try Played(.fcm, in: folder)
      #expect(try await pushes.send("/v1/projects/p/messages:send", push).status == 200)
      await #expect(throws: StatusError.self) {
        let other = push.replacing("marco", with: "sarah")
        return try await pushes.send("/v1/projects/p/messages:send", other)
      }
      let translations = try Played(.translation, in: folder)
      #expect(try await translations.send("/translate", body).status == 403)
    }
  }

  @Test func `an answer with a secret isn't recorded`() async throws {
    try await withTemporaryFolder { folder in
      let secret = "sk-" + String(repeating: "a1", count: 20)
      let passing = try await Self.record(
        .openai,
        [(Self.chat, "{}")],
        [.init(200, #"{"a":"\#(secret)"}"#)],
        in: folder
      )
      #expect(try Self.files(folder) == [])
      #expect(
        passing.problems == [
          "openai: an exchange isn't recorded because it contains what looks like "
            + "a language model's key"
        ]
      )
    }
  }

  @Test func `a deleted folder is reported, and the answer is still forwarded`() async throws {
    try await withTemporaryFolder { parent in
      let folder = "\(parent)/tapes"
      let server = try LoopbackServer(answers: [.init(200, "{}")])
      defer { server.stop() }
      let passing = try Passing(
        .openai,
        at: server.url("/v1"),
        recorder: CassetteRecorder(CassetteFolder(path: folder))
      )
      try FileManager.default.removeItem(atPath: folder)
      #expect(try await passing.send(Self.chat).status == 200)
      #expect(passing.problems.first?.contains("openai-000001.json can't be written") == true)
      try await makeFile("\(parent)/file", "")
      #expect(throws: StatusError.self) {
        try CassetteRecorder(CassetteFolder(path: "\(parent)/file/tapes"))
      }
    }
  }

  @Test func `new exchanges follow the existing ones`() async throws {
    try await withTemporaryFolder { folder in
      for number in 1...2 {
        _ = try await Self.record(
          .openai,
          [(Self.chat, #"{"n":\#(number)}"#)],
          [.init(200, "\(number)")],
          in: folder
        )
      }
      #expect(try Self.files(folder).count == 2)
      let played = try Played(.openai, in: folder)
      #expect(try await played.send(Self.chat, #"{"n":2}"#).text == "2")
    }
  }

  @Test func `two recorders in one folder keep all exchanges, whatever else is there`() async throws
  {
    try await withTemporaryFolder { folder in
      try Data("{}".utf8).write(to: URL(filePath: "\(folder)/openai-9223372036854775807.json"))
      let exchange = ProviderExchange(
        request: .init(ServiceRequest(method: "POST", path: ["v1"], body: Data("{}".utf8))),
        response: .init(ServiceResponse(status: 200, body: Data("{}".utf8)))
      )
      let recorders = try (1...2).map { _ in try CassetteRecorder(CassetteFolder(path: folder)) }
      for recorder in recorders + recorders {
        try recorder.record(exchange, of: .openai, without: nil)
      }
      #expect(try Self.files(folder).count == 5)
    }
  }

  @Test func `a key that is an ordinary word doesn't damage a cassette`() async throws {
    let exchange = ProviderExchange(
      request: .init(ServiceRequest(method: "POST", path: ["v1"], body: Data("{}".utf8))),
      response: .init(ServiceResponse(status: 200, body: Data("content".utf8)))
    )
    let file = try Cassette(exchange, of: .openai).file(without: "en")
    #expect(String(decoding: file, as: UTF8.self).contains("content"))
  }

  @Test(arguments: [
    ("openai-1.json", "{", "the file is not valid JSON"),
    ("openai-1.json", "{}", "the cassette has no version or provider"),
    (
      "openai-1.json", #"{"version":2,"provider":"openai"}"#,
      "version 2 is not supported: this emulator reads version 1"
    ),
    (
      "openai-1.json",
      #"{"version":1,"provider":"anthropic","request":{"method":"GET","path":"/"},"response":{"status":200}}"#,
      "the cassette is for anthropic, not openai"
    ),
    (
      "openai-1.json", #"{"version":1,"provider":"openai"}"#,
      "an exchange's request has no method or path"
    ),
    ("else.json", "{}", ""),
  ])
  func `an error names a bad cassette`(name: String, content: String, message: String) async throws
  {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/\(name)", content)
      let error = #expect(throws: StatusError.self) { try Played(.openai, in: folder) }
      #expect(
        error?.message
          == (message.isEmpty
            ? "there is no cassette of openai in \(folder)" : "\(folder)/\(name): \(message)")
      )
    }
  }
}
