import FunctionHost
import TestKit
import Testing

/// An emulator that reaches its limit of file descriptors.
@Suite(.timeLimit(.minutes(10)))
struct DescriptorTests {
  private let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test func `the emulator raises its limit of descriptors to the maximum`() async throws {
    try await withEmulator(fileLimit: "-S -n 256") { emulator in
      let port = try #require(emulator.ports["firestore"])
      var connections: [RawConnection] = []
      for _ in 0..<300 {
        let connection = try RawConnection(port: port)
        connection.send(request)
        #expect(try !connection.read(upTo: "Ok\n").isEmpty)
        connections.append(connection)
      }
    }
  }

  @Test(arguments: ["emulator start", "serve /bin/true"])
  func `a program with too few descriptors ends with the reason`(command: String) async throws {
    let words = command.split(separator: " ").map(String.init)
    let program = ([try Products.path(of: words[0])] + words.dropFirst()).joined(separator: "' '")
    let script = "ulimit -n 40; exec '\(program)'"
    let output = try await runProgram("/bin/sh", ["-c", script])
    #expect(output.exitCode == (words[0] == "serve" ? 78 : 1))
    #expect(output.errorText.contains("limit of 40 open files is too low: raise it to 48 or more"))
  }

  @Test func `an emulator out of descriptors accepts connections later, and logs that once`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let emulator = try await EmulatorProcess.start(
        [],
        functions: folder,
        environment: [:],
        fileLimit: "-n 128",
        folder: folder
      )
      do {
        let port = try #require(emulator.ports["firestore"])
        var idle: [RawConnection] = []
        for _ in 0..<200 { idle.append(try RawConnection(port: port)) }
        let message = "no connection can be accepted"
        try await emulator.waitForError(containing: message)
        let waiting = try RawConnection(port: port)
        waiting.send(request)
        idle = []
        #expect(try !waiting.read(upTo: "Ok\n").isEmpty)
        let errors = try await emulator.endAndReadErrors()
        #expect(errors.split(separator: message).count == 2, "\(errors)")
        #expect(errors.contains("limit=128"))
      } catch {
        await emulator.process.terminateGroup(grace: .zero)
        throw error
      }
    }
  }
}
