import Core
import FunctionHost
import TestKit
import Testing

/// Shutdown by Ctrl-C, SIGTERM and request.
///
/// The emulator must exit with code 0 whatever is running, and leave no file and no process.
/// `EmulatorProcess.end` checks that.
@Suite(.timeLimit(.minutes(10)))
struct ShutdownTests {
  /// A function that logs its start and ignores SIGTERM.
  private let stubborn = #"""
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"stubborn","callable":true,"concurrency":2,"timeoutSeconds":3600,"triggers":[
        {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
      exit
    fi
    trap '' TERM
    echo begun >&2
    while :; do sleep 300; done
    """#

  @Test(arguments: [SIGTERM, SIGINT])
  func `SIGINT and SIGTERM end the emulator`(signal: Int32) async throws {
    try await withEmulator { emulator in
      try await emulator.write(#"{"conversations/c/messages/m":{"senderId":"a","text":"x"}}"#)
      try await emulator.quiet()
      try await emulator.end(with: signal)
    }
  }

  @Test func `a request to Firestore's port ends the emulator, after the response`() async throws {
    try await withEmulator { emulator in
      let answer = try await emulator.request("POST", "firestore", "/shutdown")
      #expect(answer.status == 200)
      // Signal 0 only checks that the process exists. The emulator ends because of the request.
      try await emulator.end(with: 0)
    }
  }

  @Test func `the emulator ends while functions hang, deliveries wait and requests wait for them`()
    async throws
  {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/stubborn", stubborn, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.write(#"{"notes/1":{},"notes/2":{},"notes/3":{},"notes/4":{}}"#)
        let requests = [
          Task { try await emulator.quiet() },
          Task { _ = try await emulator.request("POST", "functions", "/stubborn", json: "{}") },
        ]
        try await waitForLog("begun", count: 2, in: emulator)
        try await emulator.end()
        for request in requests { _ = await request.result }
      }
    }
  }

  /// Waits for log lines of the function, the only sign that it has started.
  private func waitForLog(
    _ message: String,
    count: Int,
    in emulator: EmulatorProcess
  ) async throws {
    while true {
      let logs = try await emulator.request("GET", "ui", "/api/logs").json.array ?? []
      if logs.count(where: { $0["message"] == .string(message) }) >= count { return }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test(arguments: ["firestore", "auth", "functions", "ui", "hub"])
  func `the emulator ends while a connection is open`(service: String) async throws {
    try await withEmulator { emulator in
      let port = try #require(emulator.ports[service])
      let silent = try RawConnection(port: port)
      let half = try RawConnection(port: port)
      half.send("GET / HTTP/1.1\r\nHost: loc")
      let idle = try RawConnection(port: port)
      idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let waiting = try RawConnection(port: port)
      waiting.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf")
      // A response shows that the server has accepted the connections opened before.
      _ = try await emulator.request("GET", service, "/")
      try await emulator.end()
      withExtendedLifetime((silent, half, idle, waiting)) {}
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `exec passes the signal on to its command`(signal: Int32) async throws {
    try await withEmulatorShell { shell in
      let process = try ChildProcess.spawn(
        Command(
          executable: try Products.path(of: "emulator"),
          arguments: ["exec"] + shell.options + [
            "--", "/bin/sh", "-c", "echo begun; exec sleep 300",
          ],
          environment: plainEnvironment.merging(["TMPDIR": shell.temporaryDirectory]) { $1 },
          workingDirectory: shell.folder
        ),
        standardError: .null
      )
      let line = try await process.output.nextLine(maximumLength: 100)
      #expect(line.map { String(decoding: $0, as: UTF8.self) } == "begun")
      kill(process.processIdentifier, signal)
      #expect(await process.exitStatus() == .exited(128 + SIGTERM))
    }
  }

  @Test func `exec ends while it waits for a function that hangs`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/functions/stubborn", stubborn, isExecutable: true)
      let write = #"""
        curl -sf -o /dev/null -X POST -d '{}' \
          "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/notes"
        until curl -s "http://$EMULATOR_UI_HOST/api/logs" | grep -q begun; do sleep 0.05; done
        echo begun
        """#
      let process = try ChildProcess.spawn(
        Command(
          executable: try Products.path(of: "emulator"),
          arguments: ["exec"] + shell.options + ["--", "/bin/sh", "-c", write],
          environment: plainEnvironment.merging(["TMPDIR": shell.temporaryDirectory]) { $1 },
          workingDirectory: shell.folder
        ),
        standardError: .null
      )
      // The output ends when the command does. From then on `exec` waits for the function.
      _ = try await process.output.nextLine(maximumLength: 100)
      process.signal(SIGTERM)
      _ = await process.exitStatus()
    }
  }
}
