import Core
import TestKit
import Testing

/// Configuration errors that the server reports before it accepts a request.
@Suite(.timeLimit(.minutes(10)))
struct ServeConfigurationTests {
  @Test(arguments: [
    (["FUNCTION_SIGNATURE_TYPE": "typed"], "FUNCTION_SIGNATURE_TYPE"),
    (["FUNCTION_TARGET": "other"], "FUNCTION_TARGET"), (["PORT": "http"], "PORT"),
    (["PORT": "65536"], "PORT"), (["FUNCTION_CONCURRENCY": "0"], "FUNCTION_CONCURRENCY"),
    (
      ["FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:1", "GOOGLE_CLOUD_PROJECT": "worldchat-1"],
      "FIREBASE_AUTH_EMULATOR_HOST"
    ),
    (["APP_CHECK": "perhaps", "GOOGLE_CLOUD_PROJECT": "worldchat-1"], "APP_CHECK"),
    (["APP_CHECK": "enforce"], "GOOGLE_CLOUD_PROJECT"),
    (["APP_CHECK": "yes"], "APP_CHECK is neither enforce nor off"),
    (["APP_CHECK": "yes", "FUNCTION_SIGNATURE_TYPE": "event"], "APP_CHECK is neither"),
    (["APP_CHECK": "ENFORCE"], "GOOGLE_CLOUD_PROJECT is not set"),
    (["LOG_LEVEL": "loud"], "LOG_LEVEL must be one of trace, debug, info, notice, warning, error"),
    (["FUNCTION_SIGNATURE_TYPE": "typed"], "must be one of cloudevent, event, http"),
    (["ANONYMOUS_CALLS": "perhaps"], "ANONYMOUS_CALLS"),
    (["ANONYMOUS_CALLS": "refuse"], "ANONYMOUS_CALLS"),
    (["ANONYMOUS_CALLS": "refuse"], "GOOGLE_CLOUD_PROJECT"), (["METRICS": "none"], "METRICS"),
  ])
  func `an invalid variable is named`(
    environment: [String: String],
    name: String
  ) async throws {
    let output = try await run(Probe.script(), environment: environment)
    #expect(output.exitCode == 78)
    #expect(output.errorText.contains(name))
  }

  @Test(arguments: [
    (Probe.script(#"{"callable":false}"#), ["FUNCTION_SIGNATURE_TYPE": "http"], "not callable"),
    (
      Probe.script(#"{"environment":[{"name":"OWN_KEY","required":true}]}"#), [:], "OWN_KEY"
    ),
    ("#!/bin/sh\nexit 1\n", [:], "--describe ended with code 1"),
    ("#!/bin/sh\necho '{}'\n", [:], "manifest"),
  ])
  func `a function that can't be served is refused with the reason`(
    script: String,
    environment: [String: String],
    reason: String
  ) async throws {
    let output = try await run(script, environment: environment)
    #expect(output.exitCode == 78)
    #expect(output.errorText.contains(reason), "\(output.errorText)")
  }

  @Test func `a worker that never gets ready ends the server`() async throws {
    let script = """
      #!/bin/sh
      [ "$1" != --describe ] || echo '{"contract":1,"name":"probe","worker":true}'
      """
    let output = try await run(script)
    #expect(output.exitCode == 70)
    #expect(output.errorText.contains("did not say that it is ready"))
  }

  @Test func `a function's own --serve needs the server's executable next to it`() async throws {
    try await withTemporaryFolder { folder in
      let function = try Products.path(of: "translateMessage")
      // A child process copies the file. If this process had it open for writing, the system would
      // refuse to execute it.
      #expect(try await runProgram("/bin/cp", [function, folder]).exitCode == 0)
      let output = try await runProgram("\(folder)/translateMessage", ["--serve"])
      #expect(output.exitCode == 78)
      #expect(output.text.contains("\(folder)/serve"))
    }
    // The function passes the option to the server, which refuses it.
    let output = try await runProgram("translateMessage", ["--serve", "--wat"])
    #expect(output.exitCode == 64)
    #expect(output.errorText.contains("--wat"))
  }

  private func run(
    _ script: String,
    environment: [String: String] = [:]
  ) async throws -> ProgramOutput {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/probe", script, isExecutable: true)
      return try await runProgram(
        "serve",
        ["\(folder)/probe"],
        environment: plainEnvironment.merging(["PORT": "0"]) { $1 }.merging(environment) { $1 }
      )
    }
  }
}
