import Core
import HTTPClient
import TestKit
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(10)))
struct LibreTranslateClientTests {
  private func client(_ baseURL: String, key: String? = "PLANTED-KEY") -> LibreTranslateClient {
    LibreTranslateClient(
      baseURL: baseURL,
      key: key.map { Secret($0) },
      session: ProviderSession(transport: .forTests(), deadline: .generous)
    )
  }

  @Test func `texts are sent in one request, with the key in its body`() async throws {
    let server = try LoopbackServer(answers: [
      .init(200, #"{"translatedText":["uno","due"]}"#),
      .init(200, #"{"translatedText":["x"],"model":["argos"]}"#),
    ])
    defer { server.stop() }
    let answers = try await client(server.url("/"))
      .translate(["one", "two"], from: "en", to: "it", deadline: nil)
    #expect(
      answers == [
        Translation(text: "uno", engine: "libretranslate"),
        Translation(text: "due", engine: "libretranslate"),
      ]
    )
    let keyless = try await client(server.url(""), key: nil)
      .translate(["x"], from: "no", to: "zh-TW", deadline: nil)
    #expect(keyless == [Translation(text: "x", engine: "argos")])
    #expect(server.requests.map(\.target) == ["/translate", "/translate"])
    #expect(
      server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"api_key":"PLANTED-KEY","format":"text","q":["one","two"],"source":"en","target":"it"}"#,
        #"{"format":"text","q":["x"],"source":"nb","target":"zt"}"#,
      ]
    )
  }

  @Test(arguments: [
    ("pt-PT", "pt"), ("fr-CA", "fr"), ("zh-CN", "zh"), ("zh-TW", "zt"), ("fil", "tl"),
    ("he", "he"),
  ])
  func `a language has the server's code`(google: String, code: String) async throws {
    let server = try LoopbackServer(answers: [.init(200, #"{"translatedText":["x"]}"#)])
    defer { server.stop() }
    _ = try await client(server.url("")).translate(["x"], from: "en", to: google, deadline: nil)
    let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
    #expect(body.contains(#""target":"\#(code)""#))
  }

  private static let keyWanted =
    #"{"error":"Please contact the server operator to get an API key"}"#

  @Test(arguments: [
    (ScriptedAnswer(400, #"{"error":"xx is not supported"}"#), StatusCode.invalidArgument, false),
    (ScriptedAnswer(400, keyWanted), .unauthenticated, true),
    (ScriptedAnswer(403, #"{"error":"Invalid API key"}"#), .permissionDenied, true),
    (ScriptedAnswer(404, "<html>"), .notFound, true),
    (ScriptedAnswer(429, #"{"error":"Slowdown"}"#), .resourceExhausted, false),
    (ScriptedAnswer(500, #"{"error":"Cannot translate text: PLANTED"}"#), .unavailable, false),
    (ScriptedAnswer(200, #"{"translatedText":"one"}"#), .unavailable, false),
    (ScriptedAnswer(200, #"{"translatedText":[]}"#), .unavailable, false),
    (ScriptedAnswer(200, #"{"error":"PLANTED"}"#), .unavailable, false),
    (ScriptedAnswer(302, headers: ["Location: http://localhost/"]), .failedPrecondition, true),
  ])
  func `every failure has the right fault and hides text and key`(
    answer: ScriptedAnswer,
    code: StatusCode,
    isConfiguration: Bool
  ) async throws {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    let error = await #expect(throws: StatusError.self) {
      try await client(server.url(""))
        .translate(["PLANTED"], from: "en", to: "it", deadline: nil)
    }
    #expect(error?.code == code)
    #expect(error?.fault == (isConfiguration ? .configuration : .request))
    #expect(error?.message.contains("PLANTED") == false)
  }

  @Test func `an error names the variable of an address that would leak texts`() async throws {
    let error = await #expect(throws: StatusError.self) {
      try await client("http://translate.example")
        .translate(["PLANTED"], from: "en", to: "it", deadline: nil)
    }
    #expect(error?.fault == .configuration)
    #expect(error?.message.hasPrefix("TRANSLATION_BASE_URL") == true)
  }
}
