import Core
import FunctionHost
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LineTests {
  @Test func `a worker answers a thousand lines one by one`() async throws {
    let worker = try spawn(Command(executable: "cat", environment: searchPath))
    for number in 0..<1_000 {
      try await worker.write("{\"number\":\(number)}\n".utf8)
      #expect(try await worker.nextLine() == "{\"number\":\(number)}")
    }
    worker.closeInput()
    #expect(try await worker.nextLine() == nil)
    #expect(await worker.exitStatus() == .exited(0))
  }

  @Test func `a line of a megabyte is returned whole`() async throws {
    let worker = try spawn(Command(executable: "cat", environment: searchPath))
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    async let written: Void = worker.write(line + [UInt8(ascii: "\n")])
    #expect(try await worker.output.nextLine(maximumLength: 1 << 20) == line)
    try await written
    #expect(await worker.terminateGroup(grace: .zero) == .signalled(SIGKILL))
  }

  @Test func `several lines in one read are returned one by one, and an unterminated one counts`()
    async throws
  {
    let child = try spawn(shell("printf 'one\\n\\nthree'"))
    #expect(try await child.nextLine() == "one")
    #expect(try await child.nextLine() == "")
    #expect(try await child.nextLine() == "three")
    #expect(try await child.nextLine() == nil)
    #expect(try await child.nextLine() == nil)
  }

  @Test func `the first read is small, and later ones read everything available`() async throws {
    let child = try spawn(shell("printf 'a\\n%2000s\\n%5000s' '' ''"))
    #expect(await child.exitStatus() == .exited(0))
    #expect(try await child.nextLine() == "a")
    let little = child.output.takeAll().count
    #expect((1..<2_000).contains(little))
    #expect(try await child.nextLine()?.count == 2_000 - little)
    #expect(child.output.takeAll().count == 5_000)
  }

  @Test(arguments: [6, 100_000, 200_000])
  func `a line over the limit is refused, and the next one is read`(length: Int) async throws {
    let child = try spawn(
      shell("head -c $1 /dev/zero | tr '\\0' x; printf '\\nshort\\n'", "\(length)")
    )
    let code = await codeThrown { () throws(StatusError) in
      _ = try await child.output.nextLine(maximumLength: 5)
    }
    #expect(code == .resourceExhausted)
    #expect(try await child.output.nextLine(maximumLength: 5) == Array("short".utf8))
    #expect(try await child.output.nextLine(maximumLength: 5) == nil)
  }

  @Test func `a line of exactly the limit passes`() async throws {
    let child = try spawn(shell("printf '12345\\n12345'"))
    #expect(try await child.output.nextLine(maximumLength: 5) == Array("12345".utf8))
    #expect(try await child.output.nextLine(maximumLength: 5) == Array("12345".utf8))
  }

  @Test func `an endless line is refused at once, and the wait can be cancelled`()
    async throws
  {
    let child = try spawn(shell("while :; do printf xxxxxxxxxxxxxxxx; done"))
    let code = await codeThrown { () throws(StatusError) in
      _ = try await child.output.nextLine(maximumLength: 100)
    }
    #expect(code == .resourceExhausted)
    let reading = Task {
      await codeThrown { () throws(StatusError) in
        _ = try await child.output.nextLine(maximumLength: 100)
      }
    }
    reading.cancel()
    #expect(await reading.value == .cancelled)
    await child.terminateGroup(grace: .zero)
  }

  @Test func `stdout and stderr are separate`() async throws {
    let child = try spawn(shell("echo out; echo log >&2"))
    #expect(try await child.nextLine() == "out")
    #expect(try await child.errorOutput.nextLine(maximumLength: 10) == Array("log".utf8))
  }

  @Test func `several readers share the lines without splitting one`() async throws {
    let child = try spawn(shell("seq -f '%06g' 1 20000"))
    let lines = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var lines: [String] = []
          while let line = try await child.nextLine() { lines.append(line) }
          return lines
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(lines.sorted().compactMap { Int($0) } == Array(1...20_000))
  }
}
