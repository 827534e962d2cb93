import Core
import Cryptography
import HTTPClient
import TestKit
import Testing

/// The callers of a served function, and the identity that the function gets.
@Suite(.timeLimit(.minutes(10)))
struct CallerTests {
  private static let project = "worldchat-1"

  /// Returns an ID token for the user `sarah`.
  private static func token(_ key: RSAKey?, issued: Int64, project: String = project) throws
    -> String
  {
    let header =
      key == nil ? #"{"alg":"none","typ":"JWT"}"# : #"{"alg":"RS256","kid":"k","typ":"JWT"}"#
    let claims = """
      {"iss":"https://securetoken.google.com/\(project)","aud":"\(project)","sub":"sarah",\
      "user_id":"sarah","auth_time":\(issued),"iat":\(issued),"exp":\(issued + 3_600),"team":7}
      """
    return try JSONWebToken.encode(
      header: Data(header.utf8),
      payload: Data(claims.utf8),
      key: key
    )
  }

  private static func bearer(_ token: String) -> HTTPHeader {
    HTTPHeader("Authorization", "Bearer \(token)")
  }

  @Test func `a token is verified with published keys, and the function gets its claims`()
    async throws
  {
    let key = try RSAKey.generate()
    let certificate = try await OpenSSL.certificate(of: try key.pem())
    let published = JSONValue.object(["k": .string(certificate)]).text
    let keys = try LoopbackServer { _, connection in
      connection.answer(headers: ["Cache-Control: max-age=600"], body: Data(published.utf8))
    }
    defer { keys.stop() }
    let now = Int64(Date.now.timeIntervalSince1970)
    let environment = [
      "GOOGLE_CLOUD_PROJECT": Self.project, "ID_TOKEN_KEYS_URL": keys.url("/certificates"),
    ]
    try await withServe(environment: environment) { serve in
      let token = Self.bearer(try Self.token(key, issued: now - 60))
      let answer = try await serve.post(#"{"data":{}}"#, [token])
      #expect(answer.status == 200)
      #expect(answer.json.at("result.event.auth.uid")?.string == "sarah")
      #expect(answer.json.at("result.event.auth.token.team") == .integer(7))

      for forged in [
        try Self.token(nil, issued: now - 60), try Self.token(RSAKey.generate(), issued: now - 60),
        try Self.token(key, issued: now - 7_200),
        try Self.token(key, issued: now - 60, project: "another"), "x",
      ] {
        let refused = try await serve.post(#"{"data":{}}"#, [Self.bearer(forged)])
        #expect(refused.status == 401)
        #expect(refused.json.at("error.status")?.string == "UNAUTHENTICATED")
        #expect(try await serve.post(#"{"text":"x"}"#, [Self.bearer(forged)]).status == 401)
      }
      // The server doesn't verify the token of an event, because the platform does.
      #expect(try await serve.deliver("{}", [Self.bearer("x")]).status == 200)
      #expect(keys.requests.count == 1)
    }
  }

  @Test
  func `a call without a token is refused in a project with users, unless allowed`()
    async throws
  {
    let project = ["GOOGLE_CLOUD_PROJECT": Self.project]
    for setting in [[:], ["ANONYMOUS_CALLS": "refuse"]] {
      try await withServe(environment: project.merging(setting) { $1 }) { serve in
        let call = try await serve.post(#"{"data":{}}"#)
        #expect(call.status == 401)
        #expect(call.json.at("error.status")?.string == "UNAUTHENTICATED")
        let accept = HTTPHeader("Accept", "text/event-stream")
        let stream = try await serve.post(#"{"data":{}}"#, [accept])
        #expect(stream.status == 401)
        #expect(stream.headers["content-type"] == "text/event-stream; charset=utf-8")
        #expect(stream.text == "data: \(call.text)\n\n")
        let bare = try await serve.post("{}")
        #expect(bare.status == 401)
        #expect(bare.json.at("error.code") == .integer(401))
        #expect(try await serve.deliver("{}").status == 200)
      }
    }
    for environment in [
      project.merging(["ANONYMOUS_CALLS": "allow"]) { $1 }, ["GOOGLE_CLOUD_PROJECT": "demo-p"],
      [:],
    ] {
      try await withServe(environment: environment) { serve in
        let call = try await serve.post(#"{"data":{}}"#)
        #expect(call.status == 200)
        #expect(call.json.at("result.event")?["auth"] == nil)
        #expect(try await serve.post("{}").status == 200)
        // If no variable allows such calls explicitly, the server logs a warning.
        try await serve.log.wait(2) { $0["kind"] != nil }
        let warnings = serve.log.all.filter {
          $0["message"]?.string == "calls without a token are accepted"
        }
        #expect(
          warnings.map { $0["severity"]?.string }
            == (environment["ANONYMOUS_CALLS"] == nil ? ["WARNING"] : [])
        )
      }
    }
  }

  @Test func `a demo project can refuse calls without a token`() async throws {
    let environment = [
      "GOOGLE_CLOUD_PROJECT": "demo-p", "FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099",
      "ANONYMOUS_CALLS": "refuse",
    ]
    try await withServe(environment: environment) { serve in
      #expect(try await serve.post(#"{"data":{}}"#).status == 401)
      let token = try Self.token(
        nil,
        issued: Int64(Date.now.timeIntervalSince1970) - 60,
        project: "demo-p"
      )
      #expect(try await serve.post(#"{"data":{}}"#, [Self.bearer(token)]).status == 200)
    }
  }

  @Test func `without available keys a call with a token is refused, with a retry`()
    async throws
  {
    let keys = try LoopbackServer { _, connection in connection.answer(status: 500) }
    defer { keys.stop() }
    let environment = [
      "GOOGLE_CLOUD_PROJECT": Self.project, "ID_TOKEN_KEYS_URL": keys.url("/certificates"),
    ]
    try await withServe(environment: environment) { serve in
      let now = Int64(Date.now.timeIntervalSince1970)
      let token = Self.bearer(try Self.token(RSAKey.generate(), issued: now - 60))
      let answer = try await serve.post(#"{"data":{}}"#, [token])
      #expect(answer.status == 503)
      let message = "tokens can't be verified now; try again"
      #expect(answer.json.at("error.message")?.string == message)
      // The error is the server's, and the log line names the URL of the keys.
      let line = try #require(try await serve.log.wait { $0["status"] == .integer(503) }.first)
      #expect(line["severity"]?.string == "ERROR")
      #expect(line["message"]?.string?.contains("/certificates") == true)
    }
  }

  @Test(.enabled(if: OpenSSLServer.isInstalled))
  func `a configuration error of the keys isn't shown to callers`() async throws {
    // The server of the keys has a self-signed certificate.
    let keys = try OpenSSLServer()
    defer { keys.stop() }
    let environment = [
      "GOOGLE_CLOUD_PROJECT": Self.project,
      "ID_TOKEN_KEYS_URL": "https://localhost:\(keys.port)/certificates",
    ]
    try await withServe(environment: environment) { serve in
      let now = Int64(Date.now.timeIntervalSince1970)
      let token = Self.bearer(try Self.token(RSAKey.generate(), issued: now - 60))
      let answer = try await serve.post(#"{"data":{}}"#, [token])
      #expect(answer.status == 500)
      let message = "probe is not configured; the log says more"
      #expect(answer.json.at("error.message")?.string == message)
      let line = try #require(try await serve.log.wait { $0["kind"] != nil }.first)
      #expect(line["severity"]?.string == "ERROR")
      #expect(line["message"]?.string?.contains("/certificates") == true)
    }
  }

  @Test func `with App Check a call without an app's token is refused`() async throws {
    let environment = [
      "GOOGLE_CLOUD_PROJECT": Self.project, "GOOGLE_CLOUD_PROJECT_NUMBER": "123",
      "APP_CHECK": "enforce",
    ]
    try await withServe(environment: environment) { (serve: ServeProcess) async throws in
      #expect(try await serve.post(#"{"data":{}}"#).status == 401)
    }
  }

  @Test func `an unsigned token is valid in a demo project alone`() async throws {
    let now = Int64(Date.now.timeIntervalSince1970)
    let demonstration = [
      "GOOGLE_CLOUD_PROJECT": "demo-p", "FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099",
    ]
    try await withServe(environment: demonstration) { serve in
      let token = try Self.token(nil, issued: now - 60, project: "demo-p")
      let answer = try await serve.post(#"{"data":{}}"#, [Self.bearer(token)])
      #expect(answer.json.at("result.event.auth.uid")?.string == "sarah")
      #expect(try await serve.post(#"{"data":{}}"#, [Self.bearer("x")]).status == 401)
      let other = try Self.token(nil, issued: now - 60, project: "demo-q")
      #expect(try await serve.post(#"{"data":{}}"#, [Self.bearer(other)]).status == 401)
    }
    // Without a project, every token is invalid.
    try await withServe { (serve: ServeProcess) async throws in
      let token = try Self.token(nil, issued: now - 60)
      #expect(try await serve.post(#"{"data":{}}"#, [Self.bearer(token)]).status == 401)
    }
  }
}
