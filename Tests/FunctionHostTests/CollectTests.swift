import Core
import FunctionHost
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CollectTests {
  @Test func `all bytes are returned unchanged`() async throws {
    let child = try spawn(Command(executable: "cat", environment: searchPath))
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    async let written: Void = child.write(bytes)
    async let collected = child.output.collect(limit: bytes.count)
    try await written
    child.closeInput()
    #expect(try await collected == bytes)
    #expect(await child.exitStatus() == .exited(0))
  }

  @Test func `more than the limit is refused`() async throws {
    let child = try spawn(shell("head -c 1048577 /dev/zero; exec sleep 1000"))
    let code = await codeThrown { () throws(StatusError) in
      _ = try await child.output.collect(limit: 1 << 20)
    }
    #expect(code == .resourceExhausted)
    #expect(await child.terminateGroup(grace: .zero) == .signalled(SIGKILL))
  }

  @Test func `a waiting reader can be cancelled, and another one continues`() async throws {
    let child = try spawn(Command(executable: "cat", environment: searchPath))
    let reading = Task {
      await codeThrown { () throws(StatusError) in
        _ = try await child.output.collect(limit: 10)
      }
    }
    reading.cancel()
    #expect(await reading.value == .cancelled)
    try await child.write("later".utf8)
    child.closeInput()
    #expect(try await child.output.collect(limit: 10) == Array("later".utf8))
  }

  @Test func `a stream that is no pipe is at its end`() async throws {
    let child = try ChildProcess.spawn(
      shell("cat; echo lost; echo lost >&2"),
      standardInput: .null,
      standardOutput: .null,
      standardError: .null
    )
    #expect(await child.exitStatus() == .exited(0))
    #expect(try await child.nextLine() == nil)
    #expect(try await child.errorOutput.collect(limit: 0) == [])
    let code = await codeThrown { () throws(StatusError) in try await child.write("x".utf8) }
    #expect(code == .failedPrecondition)
  }
}
