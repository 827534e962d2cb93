import Core
import FunctionHost
import Testing

@Suite(.timeLimit(.minutes(10)))
struct InputTests {
  @Test func `a long write fails when the child closes its stdin`() async throws {
    let child = try spawn(shell("head -c 100000 >/dev/null; exec <&-; echo closed; sleep 1000"))
    let code = await codeThrown { () throws(StatusError) in
      try await child.write([UInt8](repeating: 0, count: 10 << 20))
    }
    #expect(code == .unavailable)
    #expect(try await child.nextLine() == "closed")
    #expect(await child.terminateGroup(grace: .zero) == .signalled(SIGKILL))
  }

  @Test func `a write to a child that has ended fails`() async throws {
    let child = try spawn(shell("exit 0"))
    #expect(await child.exitStatus() == .exited(0))
    let code = await codeThrown { () throws(StatusError) in try await child.write("x".utf8) }
    #expect(code == .unavailable)
  }

  @Test func `a blocked write ends when the task is cancelled`() async throws {
    let child = try spawn(shell("exec sleep 1000"))
    let writing = Task {
      await codeThrown { () throws(StatusError) in
        try await child.write([UInt8](repeating: 0, count: 10 << 20))
      }
    }
    writing.cancel()
    #expect(await writing.value == .cancelled)
    let code = await codeThrown { () throws(StatusError) in try await child.write("x".utf8) }
    #expect(code == .failedPrecondition, "no write may follow an incomplete line")
    await child.terminateGroup(grace: .zero)
  }

  @Test func `a blocked write ends with the child`() async throws {
    let child = try spawn(shell("echo ready; exec sleep 1000"))
    #expect(try await child.nextLine() == "ready")
    async let code = codeThrown { () throws(StatusError) in
      try await child.write([UInt8](repeating: 0, count: 10 << 20))
    }
    await child.terminateGroup(grace: .zero)
    #expect(await code == .unavailable)
  }

  @Test func `concurrent writes aren't mixed`() async throws {
    let child = try spawn(Command(executable: "cat", environment: searchPath))
    let lines = (0..<8).map { String(repeating: "\($0)", count: 200_000) }
    async let written: Void = withThrowingTaskGroup(of: Void.self) { group in
      for line in lines {
        group.addTask { try await child.write((line + "\n").utf8) }
      }
      try await group.waitForAll()
    }
    var received: [String] = []
    for _ in lines { received.append(try await child.nextLine() ?? "") }
    try await written
    #expect(received.sorted() == lines)
    child.closeInput()
    #expect(await child.exitStatus() == .exited(0))
  }

  @Test func `closing stdin after a write delivers all of it`() async throws {
    let child = try spawn(shell("wc -c"))
    try await child.write([UInt8](repeating: 0, count: 1_000_000))
    child.closeInput()
    let line = try await child.nextLine()
    #expect(line?.filter(\.isNumber) == "1000000")
    let code = await codeThrown { () throws(StatusError) in try await child.write("x".utf8) }
    #expect(code == .failedPrecondition)
  }
}
