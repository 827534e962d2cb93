import Core
import GoogleAuth
import HTTPClient
import TestKit
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(10)))
struct TranslationClientTests {
  static let key = "AIza-PLANTED-KEY"
  static let text = "PLANTED user text"

  private func client(_ baseURL: String, key: String = key) -> TranslationClient {
    TranslationClient(
      baseURL: baseURL,
      credential: .key(Secret(key)),
      session: ProviderSession(
        transport: .forTests(),
        deadline: .generous,
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      )
    )
  }

  private func failure(_ answer: ScriptedAnswer) async throws -> (StatusError, requests: Int) {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    let client = client(server.url(""))
    let error = await #expect(throws: StatusError.self) {
      try await client.translate([Self.text], from: "en", to: "it", deadline: nil)
    }
    return (try #require(error), server.requests.count)
  }

  // MARK: Requests

  @Test(arguments: ["", "/", "//", "/base/"])
  func `texts are sent in one request, with the key in a header`(base: String) async throws {
    let server = try LoopbackServer(answers: [
      .init(
        200,
        #"{"data":{"translations":[{"translatedText":"L'uno","detectedSourceLanguage":"en"},"#
          + #"{"translatedText":"","model":"phrasebook","new":{}}]}}"#
      )
    ])
    defer { server.stop() }
    let answers = try await client(server.url(base)).translate(
      ["It's \"one\"", "two\n"],
      from: "en",
      to: "pt-PT",
      deadline: nil
    )
    #expect(
      answers == [.init(text: "L'uno", engine: "nmt"), .init(text: "", engine: "phrasebook")]
    )
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == (base == "/base/" ? "/base" : "") + "/language/translate/v2")
    #expect(request.headers["x-goog-api-key"] == Self.key)
    #expect(request.headers["content-type"] == "application/json; charset=utf-8")
    #expect(
      request.headers["traceparent"]
        == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    )
    #expect(request.headers["authorization"] == nil)
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"format":"text","q":["It's \"one\"","two\n"],"source":"en","target":"pt-PT"}"#
    )
  }

  // MARK: Errors

  static func google(
    _ status: Int,
    _ name: String,
    reason: String = "",
    detail: String = "",
    headers: [String] = []
  ) -> ScriptedAnswer {
    ScriptedAnswer(
      status,
      headers: headers,
      #"{"error":{"code":\#(status),"message":"\#(text) \#(key)","status":"\#(name)","#
        + #""errors":[{"message":"\#(text)","domain":"global","reason":"\#(reason)"}],"#
        + #""details":[{"@type":"type.googleapis.com/google.rpc.Help","links":[]},"#
        + #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(detail)"}]}}"#
    )
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answer: ScriptedAnswer
    var error: StatusError
    var requests = 1

    init(_ description: String, _ answer: ScriptedAnswer, _ error: StatusError, requests: Int = 1) {
      testDescription = description
      self.answer = answer
      self.error = error
      self.requests = requests
    }
  }

  private static let quota = StatusError(
    .resourceExhausted,
    "the translation provider is over its quota"
  )
  private static let pair = StatusError(
    .invalidArgument,
    "the translation provider does not translate en to it"
  )
  private static func keyRefused(_ code: StatusCode) -> StatusError {
    .configuration(code, "the translation provider refused GOOGLE_TRANSLATION_API_KEY")
  }
  private static func answered(_ status: Int) -> StatusError {
    StatusError(.unavailable, "the translation provider answered \(status)")
  }
  private static let nonsense = StatusError(
    .unavailable,
    "the translation provider returned an invalid response"
  )

  static let failures: [Failure] = [
    Failure(
      "a key that is none, today's form",
      google(400, "INVALID_ARGUMENT", reason: "badRequest", detail: "API_KEY_INVALID"),
      keyRefused(.unauthenticated)
    ),
    Failure(
      "a key that is none, older form",
      ScriptedAnswer(400, #"{"error":{"code":400,"errors":[{"reason":"keyInvalid"}]}}"#),
      keyRefused(.unauthenticated)
    ),
    Failure("a bad pair", google(400, "INVALID_ARGUMENT", reason: "invalid"), pair),
    Failure("400 without a body", ScriptedAnswer(400), pair),
    Failure("401", google(401, "UNAUTHENTICATED"), keyRefused(.permissionDenied)),
    Failure(
      "an unregistered caller",
      google(403, "PERMISSION_DENIED", reason: "forbidden"),
      keyRefused(.permissionDenied)
    ),
    Failure(
      "a service that isn't switched on",
      google(403, "PERMISSION_DENIED", reason: "accessNotConfigured", detail: "SERVICE_DISABLED"),
      keyRefused(.permissionDenied)
    ),
    Failure("403 as HTML", ScriptedAnswer(403, "<html>"), keyRefused(.permissionDenied)),
    Failure(
      "the daily limit",
      google(403, "PERMISSION_DENIED", reason: "dailyLimitExceeded"),
      quota
    ),
    Failure(
      "a user's limit",
      google(403, "PERMISSION_DENIED", reason: "userRateLimitExceeded"),
      quota
    ),
    Failure(
      "a limit in today's form",
      google(403, "RESOURCE_EXHAUSTED", detail: "RATE_LIMIT_EXCEEDED"),
      quota
    ),
    Failure(
      "429 with a wait beyond ours",
      google(429, "RESOURCE_EXHAUSTED", reason: "rateLimitExceeded", headers: ["Retry-After: 60"]),
      StatusError(quota.code, quota.message, retryAfter: .seconds(60))
    ),
    Failure("429 without a wait", ScriptedAnswer(429), quota, requests: 2),
    Failure("500", google(500, "INTERNAL", reason: "backendError"), answered(500), requests: 2),
    Failure("502 as HTML", ScriptedAnswer(502, "<html>Bad Gateway"), answered(502), requests: 2),
    Failure(
      "503 with a wait beyond ours",
      ScriptedAnswer(503, headers: ["Retry-After: 120"]),
      StatusError(.unavailable, answered(503).message, retryAfter: .seconds(120))
    ),
    Failure("an empty 200", ScriptedAnswer(200), nonsense),
    Failure("a 200 of HTML", ScriptedAnswer(200, "<html>"), nonsense),
    Failure("too few answers", ScriptedAnswer(200, #"{"data":{"translations":[]}}"#), nonsense),
    Failure(
      "too many answers",
      ScriptedAnswer(
        200,
        #"{"data":{"translations":[{"translatedText":"a"},{"translatedText":"b"}]}}"#
      ),
      nonsense
    ),
    Failure(
      "an answer of another type",
      ScriptedAnswer(200, #"{"data":{"translations":[{"translatedText":7}]}}"#),
      nonsense
    ),
    Failure(
      "an answer out of all proportion",
      ScriptedAnswer(
        200,
        #"{"data":{"translations":[{"translatedText":"\#(String(repeating: "x", count: 400))"}]}}"#
      ),
      nonsense
    ),
    Failure(
      "404",
      ScriptedAnswer(404),
      StatusError(.internal, "the translation provider answered 404")
    ),
    Failure(
      "a redirect",
      ScriptedAnswer(302, headers: ["Location: http://localhost/"]),
      .configuration(
        .failedPrecondition,
        "TRANSLATION_BASE_URL: the translation provider answered 302: "
          + "set the final URL, since redirects aren't followed"
      )
    ),
  ]

  @Test(arguments: failures)
  func `every failure has the right fault and hides text and key`(
    failure: Failure
  ) async throws {
    let (error, requests) = try await self.failure(failure.answer)
    #expect(error == failure.error)
    #expect(requests == failure.requests)
    #expect(!"\(error)".contains("PLANTED"))
  }

  @Test func `an answer of more than a megabyte is not read`() async throws {
    let (error, _) = try await failure(
      ScriptedAnswer(200, String(repeating: " ", count: 1024 * 1024 + 1))
    )
    #expect(error.code == .unavailable)
  }

  @Test func `without a key the function's own account is used`() async throws {
    let server = try LoopbackServer(answers: [
      .init(200, #"{"data":{"translations":[{"translatedText":"Ciao"}]}}"#), .init(401),
    ])
    defer { server.stop() }
    let client = TranslationClient(
      baseURL: server.url(""),
      credential: .account(FixedToken()),
      session: ProviderSession(transport: .forTests(), deadline: .generous)
    )
    _ = try await client.translate(["Hello"], from: "en", to: "it", deadline: nil)
    let request = try #require(server.requests.first)
    #expect(request.headers["authorization"] == "Bearer PLANTED-TOKEN")
    #expect(request.headers["x-goog-api-key"] == nil)
    let refused = StatusError.configuration(
      .permissionDenied,
      "the translation provider refused the function's service account"
    )
    await #expect(throws: refused) {
      try await client.translate(["Hello"], from: "en", to: "it", deadline: nil)
    }
  }

  @Test func `a temporary failure is retried once`() async throws {
    let server = try LoopbackServer(answers: [
      .init(503), .init(200, #"{"data":{"translations":[{"translatedText":"Ciao"}]}}"#),
    ])
    defer { server.stop() }
    let answers = try await client(server.url("")).translate(
      ["Hello"],
      from: "en",
      to: "it",
      deadline: nil
    )
    #expect(answers == [.init(text: "Ciao", engine: "nmt")])
  }

  @Test func `a refused connection is a temporary failure`() async throws {
    let (descriptor, port) = try LoopbackSocket.bound()
    defer { close(descriptor) }
    let client = client("http://127.0.0.1:\(port)")
    let error = await #expect(throws: StatusError.self) {
      try await client.translate([Self.text], from: "en", to: "it", deadline: nil)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.fault == .request)
    #expect(error?.message.contains("PLANTED") == false)
  }

  @Test(arguments: ["PLANTED\n", "PLANTED\r\nX: y", "PLAN\u{0}TED"])
  func `a key with a line feed is a configuration error, not the event's fault`(
    key: String
  ) async throws {
    let server = try LoopbackServer(answers: [.init(200)])
    defer { server.stop() }
    let client = client(server.url(""), key: key)
    let error = await #expect(throws: StatusError.self) {
      try await client.translate(["Hello"], from: "en", to: "it", deadline: nil)
    }
    #expect(error?.fault == .configuration)
    #expect(error?.message.contains("PLANTED") == false)
    #expect(server.requests.isEmpty)
  }

  @Test func `a key can't be printed`() {
    let secret = Secret("PLANTED")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), "\([secret])", dumped] {
      #expect(!text.contains("PLANTED"))
    }
    #expect(secret.reveal() == "PLANTED")
  }

  @Test func `a token that Google refuses is renewed once`() async throws {
    let good = ScriptedAnswer(200, #"{"data":{"translations":[{"translatedText":"Uno"}]}}"#)
    let refused = Self.google(401, "UNAUTHENTICATED")
    let server = try LoopbackServer(answers: [refused, good, refused])
    defer { server.stop() }
    let client = TranslationClient(
      baseURL: server.url(""),
      credential: .account(RenewedTokens()),
      session: ProviderSession(transport: .forTests(), deadline: .generous)
    )
    func translate() async throws(StatusError) -> [Translation] {
      try await client.translate(["one"], from: "en", to: "it", deadline: nil)
    }
    #expect(try await translate().map(\.text) == ["Uno"])
    await #expect(
      throws: StatusError.configuration(
        .permissionDenied,
        "the translation provider refused the function's service account"
      )
    ) { try await translate() }
    #expect(
      server.requests.map { $0.headers["authorization"] }
        == ["Bearer t1", "Bearer t2", "Bearer t2", "Bearer t3"]
    )
  }
}

/// A source that always returns the same access token.
struct FixedToken: AccessTokenSource {
  func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
    AccessToken("PLANTED-TOKEN", expiry: .generous)
  }
}
