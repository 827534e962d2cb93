import Core
import TestKit
import Testing

/// Addresses to which functions may send an API key, and errors for other addresses.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ProviderAddressTests {
  private func run(_ function: String, _ changes: [String: String]) async throws -> FunctionRun {
    let scene = try await FaultScene()
    let row = ProviderFault(
      provider: changes["LLM_PROVIDER"] ?? "openai",
      title: "",
      members: "",
      function: function,
      exitCode: 78,
      calls: 0,
      sight: .broken
    )
    return try await scene.run(row, isFaulty: false, changes: changes)
  }

  @Test(arguments: [
    ("translateMessage", "TRANSLATION_BASE_URL", "http://example.com"),
    ("sendNotification", "FCM_BASE_URL", "http://10.0.0.1/"),
    ("sendNotification", "TRANSLATION_BASE_URL", "ftp://example.com"),
    ("smartReplies", "OPENAI_BASE_URL", "https://PLANTED@example.com/v1"),
    ("askAI", "ANTHROPIC_BASE_URL", "example.com"),
  ])
  func `an address that would leak a key is refused, and the error names the variable`(
    function: String,
    variable: String,
    url: String
  ) async throws {
    var changes = [variable: url]
    if variable.hasPrefix("ANTHROPIC") { changes["LLM_PROVIDER"] = "anthropic" }
    let run = try await run(function, changes)
    #expect(run.exitCode == 78)
    #expect(run.errorMessage?.hasPrefix("\(variable): ") == true, Comment(rawValue: run.line.text))
    #expect(run.errorMessage?.contains("PLANTED") == false)
  }

  /// The server has a self-signed certificate. Then that certificate is trusted, but belongs to
  /// another host.
  @Test(.enabled(if: OpenSSLServer.isInstalled, "the openssl tool is not installed"))
  func `an invalid certificate is reported as a fault of the address`() async throws {
    let server = try OpenSSLServer()
    defer { server.stop() }
    for (host, trusted) in [("localhost", nil), ("127.0.0.1", server.certificate)] {
      for (function, variable) in [
        ("translateMessage", "TRANSLATION_BASE_URL"), ("smartReplies", "OPENAI_BASE_URL"),
      ] {
        var changes = [variable: "https://\(host):\(server.port)"]
        changes["SSL_CERT_FILE"] = trusted
        let run = try await run(function, changes)
        let line = Comment(rawValue: run.line.text)
        #expect(run.exitCode == 78, line)
        #expect(run.errorCode == "FAILED_PRECONDITION", line)
        #expect(run.errorMessage?.hasPrefix("\(variable): POST https://") == true, line)
      }
    }
  }

  @Test func `proxy variables have no effect between a function and loopback`() async throws {
    let proxies = ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"]
    let nowhere = Dictionary(uniqueKeysWithValues: proxies.map { ($0, "http://127.0.0.1:1") })
    for function in ["translateMessage", "sendNotification", "smartReplies"] {
      let run = try await run(function, nowhere)
      #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    }
  }
}
