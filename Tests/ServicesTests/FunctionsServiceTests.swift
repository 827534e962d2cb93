import Core
import Cryptography
import Delivery
import HTTPService
import Logging
import ProviderFakes
import Services
import TestKit
import Testing

/// Calls of functions over HTTP.
@Suite(.timeLimit(.minutes(10)))
struct FunctionsServiceTests {
  /// Runs `body` with a service whose only function is callable.
  ///
  /// - Parameter line: the shell command that the function runs.
  private func withService(
    _ line: String,
    project: String = "demo-p",
    _ body: (FunctionsService) async throws -> Void
  ) async throws {
    let manifest = #"{"contract":1,"name":"probe","callable":true}"#
    try await withFunctions(manifest, line) { try await body($0.service(of: project)) }
  }

  private func request(
    _ path: [String],
    _ body: String,
    token: String? = nil
  ) -> ServiceRequest {
    var headers = ["content-type": "application/json"]
    headers["authorization"] = token.map { "Bearer \($0)" }
    return ServiceRequest(method: "POST", path: path, headers: headers, body: Data(body.utf8))
  }

  private let bare = ["probe"]
  private let callable = ["demo-p", "us-central1", "probe"]

  @Test func `a function gets the claims of the caller's token, by both routes`() async throws {
    let token = try UnsignedToken.encode(
      uid: "sarah",
      project: "demo-p",
      claims: ["admin": .boolean(true), "serial": JSONValue.integer(9_007_199_254_740_993)],
      now: 7
    )
    try await withService(#"printf '{"status":"ok","result":%s}' "$(cat)""#) { service in
      let answers = [
        try await service.respond(to: request(bare, "{}", token: token)),
        try await service.respond(to: request(callable, #"{"data":{}}"#, token: token)),
      ]
      for (answer, path) in zip(answers, ["auth", "result.auth"]) {
        let body = try JSONValue(parsing: answer.body)
        let auth = try #require(body.at(path))
        #expect(auth.object?.keys.sorted() == ["token", "uid"])
        #expect(auth["uid"] == .string("sarah"))
        #expect(auth.at("token.sub") == .string("sarah"))
        #expect(auth.at("token.admin") == .boolean(true))
        #expect(auth.at("token.serial") == .integer(9_007_199_254_740_993))
        #expect(auth.at("token.aud") == .string("demo-p"))
      }
    }
  }

  @Test(arguments: [
    ("p", "p", "only for projects that begin with demo-"),
    ("p", "demo-p", "only for projects that begin with demo-"),
    ("demo-p", "demo-q", #"the token is not for project "demo-p""#),
    ("demo-p", "p", #"the token is not for project "demo-p""#),
  ])
  func `an unsigned token is valid for its own demo project alone`(
    project: String,
    audience: String,
    reason: String
  ) async throws {
    let token = try UnsignedToken.encode(uid: "sarah", project: audience, now: 7)
    try await withService("echo called >&2; exit 1", project: project) { service in
      let error = await #expect(throws: StatusError.self) {
        try await service.respond(to: request(bare, "{}", token: token))
      }
      #expect(error?.code == .unauthenticated)
      #expect(error?.message.contains(reason) == true)

      let answer = try await service.respond(to: request(callable, #"{"data":{}}"#, token: token))
      #expect(answer.status == 401)
      let body = try JSONValue(parsing: answer.body)
      #expect(body.at("error.status") == .string("UNAUTHENTICATED"))
      #expect(body.at("error.message")?.string?.contains(reason) == true)
    }
  }

  @Test func `an anonymous caller has no auth`() async throws {
    try await withService(#"printf '{"status":"ok","result":%s}' "$(cat)""#) { service in
      let answer = try await service.respond(to: request(bare, "{}"))
      let body = try JSONValue(parsing: answer.body)
      #expect(body == .object(["data": .object([:])]))
    }
  }

  @Test(
    arguments: ["PERMISSION_DENIED", "FAILED_PRECONDITION", "INTERNAL"],
    ["exit 78", "exit 0"]
  )
  func `a missing configuration is an internal error, and the caller learns no name`(
    code: String,
    ending: String
  ) async throws {
    let line =
      #"{"status":"error","exitCode":78,"error":{"code":"\#(code)","message":"SECRET_KEY is gone"}}"#
    try await withService("echo '\(line)'; \(ending)") { service in
      let error = await #expect(throws: StatusError.self) {
        try await service.respond(to: request(bare, "{}"))
      }
      #expect(error?.code == .internal)
      #expect(error?.message.contains("SECRET_KEY") == false)

      let answer = try await service.respond(to: request(callable, #"{"data":{}}"#))
      #expect(answer.status == 500)
      let body = try JSONValue(parsing: answer.body)
      #expect(body.at("error.status") == .string("INTERNAL"))
      #expect(!body.text.contains("SECRET_KEY"))
    }
  }

  @Test func `any other failure is reported unchanged`() async throws {
    let line =
      #"{"status":"error","exitCode":77,"error":{"code":"PERMISSION_DENIED","message":"no"}}"#
    try await withService("echo '\(line)'; exit 77") { service in
      let answer = try await service.respond(to: request(callable, #"{"data":{}}"#))
      #expect(answer.status == 403)
      let body = try JSONValue(parsing: answer.body)
      #expect(body.at("error.message") == .string("no"))
    }
  }
}
