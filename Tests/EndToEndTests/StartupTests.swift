import Core
import TestKit
import Testing

/// Writes to an emulator that is still starting.
@Suite(.timeLimit(.minutes(10)))
struct StartupTests {
  /// A function whose manifest is delayed.
  ///
  /// It writes Firestore's address to the pipe `address`, and prints its manifest after reading
  /// from `gate`.
  private let script = #"""
    #!/bin/sh
    cd "$(dirname "$0")"
    if [ "$1" = --describe ]; then
      echo "$FIRESTORE_EMULATOR_HOST" > address
      read -r word < gate
      echo '{"contract":1,"name":"slow","triggers":[
        {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{noteId}"}]}'
      exit
    fi
    cat > /dev/null
    echo '{"contract":1,"function":"slow","status":"ok","exitCode":0}'
    """#

  /// A client that sends a write before the manifest is printed, and checks that the response comes
  /// afterwards.
  private let client = #"""
    import socket
    open("there", "w").close()
    with open("address") as told:
        host, port = told.read().strip().rsplit(":", 1)
    path = "/v1/projects/demo-early/databases/(default)/documents/notes?documentId=early"
    body = '{"fields":{"text":{"stringValue":"x"}}}'
    connection = socket.create_connection((host, int(port)))
    connection.sendall((f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
    connection.settimeout(0.3)
    try:
        print("too early", connection.recv(100))
    except TimeoutError:
        pass
    with open("gate", "w") as gate:
        gate.write("go\n")
    connection.settimeout(None)
    print(connection.recv(12).decode())
    """#

  @Test func `a write before the functions are known triggers them`() async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/slow", script, isExecutable: true)
      for name in ["there", "address", "gate"] { #expect(mkfifo("\(folder)/\(name)", 0o600) == 0) }
      let written = Task { [client] in
        try await runProgram(
          "/usr/bin/env",
          ["python3", "-c", client],
          workingDirectory: folder,
          // The limit is long because emulators of other tests may start first.
          limit: .seconds(500)
        )
      }
      // The command ends when the client has started.
      _ = try await runProgram("/bin/cat", ["there"], workingDirectory: folder)
      try await withEmulator("--project", "demo-early", functions: folder) { emulator in
        let answer = try await written.value.text
        #expect(answer == "HTTP/1.1 200\n")
        try await emulator.quiet()
        let deliveries = try await emulator.deliveries()
        #expect(deliveries.map { $0["document"]?.string } == ["notes/early"])
      }
    }
  }
}
