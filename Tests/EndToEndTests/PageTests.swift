import Core
import HTTPClient
import TestKit
import Testing

/// The pages and their files, as a browser requests them.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct PageTests {
  private func get(_ path: String, _ headers: [HTTPHeader] = []) async throws
    -> EmulatorProcess.Answer
  {
    try await sharedEmulator().request("GET", "ui", path, headers: headers)
  }

  private static let browser = [HTTPHeader("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")]

  @Test(arguments: ["/", "/chat", "/data/users/a.b%2Fc", "/events/x?state=deadLettered"])
  func `a browser gets the page for every address`(path: String) async throws {
    let answer = try await get(path, Self.browser)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
    #expect(answer.text.contains("/assets/app.js"))
  }

  @Test func `the pages may run only our own files and call only our own services`() async throws {
    let emulator = try sharedEmulator()
    let answer = try await get("/", Self.browser)
    let policy = try #require(answer.headers["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(policy.contains("require-trusted-types-for 'script'; trusted-types 'none'"))
    #expect(policy.contains("frame-ancestors 'none'"))
    let services = ["firestore", "auth", "database", "storage", "functions"].flatMap { service in
      let address = emulator.address(service)
      return [address, address.replacing("127.0.0.1", with: "localhost")].map { address in
        " http://\(address)" + (service == "database" ? " ws://\(address)" : "")
      }
    }
    #expect(policy.contains("connect-src 'self'\(services.joined());"))
    let media = services.dropLast(2).suffix(2).joined()
    #expect(policy.contains("img-src 'self' data: blob: https:\(media);"))
    #expect(policy.contains("media-src 'self' blob: https:\(media);"))
    #expect(!policy.contains("unsafe"))
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    #expect(answer.headers["referrer-policy"] == "no-referrer")
  }

  @Test func `a file is sent once, and again when it has changed`() async throws {
    let first = try await get("/assets/app.js")
    #expect(first.headers["content-type"] == "text/javascript; charset=utf-8")
    let tag = try #require(first.headers["etag"])
    let second = try await get("/assets/app.js", [HTTPHeader("If-None-Match", tag)])
    #expect((second.status, second.body.count) == (304, 0))
    let other = try await get("/assets/app.js", [HTTPHeader("If-None-Match", #""x""#)])
    #expect((other.status, other.body) == (200, first.body))
  }

  @Test(arguments: [
    "/assets/nothing.js", "/assets/", "/assets/../page_files.c", "/assets/%2e%2e/page_files.c",
    "/api/nothing", "/favicon.ico", "/chat",
  ])
  func `an unknown path is answered with 404`(path: String) async throws {
    let answer = try await get(path)
    #expect((answer.status, answer.code) == (404, "NOT_FOUND"))
  }

  @Test func `a POST to a page is refused`() async throws {
    let answer = try await sharedEmulator().request(
      "POST",
      "ui",
      "/chat",
      headers: Self.browser,
      json: "{}"
    )
    #expect(answer.status == 404)
  }

  @Test func `the status has the address of every service`() async throws {
    let emulator = try sharedEmulator()
    let status = try await get("/api/status").json
    #expect(status["project"] == .string(emulator.project))
    for (name, port) in emulator.ports {
      #expect(status.at("services.\(name).port") == .integer(Int64(port)))
    }
    #expect(status.at("isolation") == .string("worker"))
    #expect(
      status["environment"]?.array?.contains(
        .string("FIRESTORE_EMULATOR_HOST=\(emulator.address("firestore"))")
      ) == true
    )
  }
}
