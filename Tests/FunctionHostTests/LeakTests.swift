import Core
import FunctionHost
import Testing

/// Checks for leaked pipes and zombies, each in a separate process in which no other test runs.
@Suite(.timeLimit(.minutes(10)))
struct LeakTests {
  @Test func `two hundred children at once leave no pipe and no zombie`() async {
    await #expect(processExitsWith: .success) {
      // Two hundred children need six hundred pipes. The limit on macOS is 256 descriptors at
      // first.
      setDescriptorLimit(4_096)
      try await warmUp()
      let before = openPipes()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask { try await echo(number) }
        }
        try await group.waitForAll()
      }
      #expect(openPipes() == before)
      #expect(waitpid(-1, nil, WNOHANG) == -1)
      #expect(errno == ECHILD)
    }
  }

  @Test func `failed starts leave no pipe`() async {
    await #expect(processExitsWith: .success) {
      let before = openPipes()
      for _ in 0..<100 {
        let code = await codeThrown { () throws(StatusError) in
          _ = try spawn(Command(executable: "/absent", environment: [:]))
        }
        #expect(code == .notFound)
      }
      #expect(openPipes() == before)
    }
  }

  @Test func `too many open files prevent a start and leave no pipe`() async {
    await #expect(processExitsWith: .success) {
      try await warmUp()
      let before = openPipes()
      for free in 0..<6 {
        #expect(await codeOfSpawn(withFreeDescriptors: free) == .resourceExhausted)
        #expect(openPipes() == before)
      }
    }
  }

  @Test func `releasing a running child closes its pipes, and it is reaped at its end`() async {
    await #expect(processExitsWith: .success) {
      try await warmUp()
      let before = openPipes()
      let process = try spawn(Command(executable: "cat", environment: searchPath))
        .processIdentifier
      #expect(openPipes() == before)
      // `cat` ends when its stdin is closed. The loop waits until another thread has reaped it.
      while kill(process, 0) == 0 { await Task.yield() }
      #expect(waitpid(-1, nil, WNOHANG) == -1)
    }
  }

  @Test func `a process without standard streams gives its children pipes nevertheless`() async {
    await #expect(processExitsWith: .success) {
      for descriptor: Int32 in 0..<3 { close(descriptor) }
      let onlyErrors = try await printedOnErrorsOnly()
      let both = try await printedOnBoth()
      #expect(onlyErrors == Array("err\n".utf8))
      #expect(both == ["out hello", "err hello"])
    }
  }

  @Test func `a broken pipe is an error once SIGPIPE is ignored`() async {
    await #expect(processExitsWith: .success) {
      ignoreBrokenPipes()
      let child = try ChildProcess.spawn(shell("exit 0"))
      _ = await child.exitStatus()
      let code = await codeThrown { () throws(StatusError) in try await child.write("x".utf8) }
      #expect(code == .unavailable)
    }
  }

  @Test func `an inherited stream is this process's`() async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent]
    ) {
      let child = try ChildProcess.spawn(
        shell("echo shared"),
        standardInput: .inherit,
        standardOutput: .inherit,
        standardError: .inherit,
        newProcessGroup: false
      )
      #expect(await child.exitStatus() == .exited(0))
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("shared\n"))
  }
}

/// Starts `cat`, sends it a line, and checks that it returns the line and ends.
private func echo(_ number: Int) async throws {
  let child = try spawn(Command(executable: "cat", environment: searchPath))
  try await child.write("\(number)\n".utf8)
  #expect(try await child.nextLine() == "\(number)")
  child.closeInput()
  #expect(await child.exitStatus() == .exited(0))
  #expect(try await child.nextLine() == nil)
  #expect(try await child.errorOutput.collect(limit: 0) == [])
}

/// Returns the lines that a child writes to stdout and stderr after it has read a line.
private func printedOnBoth() async throws -> [String?] {
  let child = try spawn(shell("read line; echo out $line; echo err $line >&2"))
  try await child.write("hello\n".utf8)
  let output = try await child.nextLine()
  let error = try await child.errorOutput.nextLine(maximumLength: 100)
  return [output, error.map { String(decoding: $0, as: UTF8.self) }]
}

/// Returns the output of a child that has a single pipe.
///
/// The pipe's ends get the descriptors 0 and 1. The child can use them only if `spawn` moves them.
private func printedOnErrorsOnly() async throws -> [UInt8] {
  let child = try ChildProcess.spawn(
    shell("echo out; echo err >&2"),
    standardInput: .null,
    standardOutput: .null
  )
  return try await child.errorOutput.collect(limit: 100)
}

/// Waits for a child, so that the counts of pipes begin after the first wait.
///
/// The first wait opens a pipe for waking the polling thread, and the pipe stays open.
private func warmUp() async throws {
  let child = try spawn(Command(executable: "cat", environment: searchPath))
  let reading = Task { try await child.nextLine() }
  reading.cancel()
  await #expect(throws: StatusError.self) { try await reading.value }
  child.closeInput()
  #expect(await child.exitStatus() == .exited(0))
}

/// Starts a child while only a few descriptors are free. Returns the error's code, or `nil` if the
/// start succeeds.
private func codeOfSpawn(withFreeDescriptors free: Int) async -> StatusCode? {
  let usual = setDescriptorLimit(64)
  defer { setDescriptorLimit(usual) }
  var taken: [Int32] = []
  while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 {
    taken.append(descriptor)
  }
  defer { for descriptor in taken { close(descriptor) } }
  for _ in 0..<free { close(taken.removeLast()) }
  return await codeThrown { () throws(StatusError) in
    _ = try spawn(shell("exit 0"))
  }
}

#if canImport(Darwin)
  private let limitOnDescriptors = RLIMIT_NOFILE
#else
  private let limitOnDescriptors = Int32(RLIMIT_NOFILE.rawValue)
#endif

/// Sets this process's limit of open files, and returns the previous limit.
@discardableResult
private func setDescriptorLimit(_ count: rlim_t) -> rlim_t {
  var limit = rlimit()
  getrlimit(limitOnDescriptors, &limit)
  let usual = limit.rlim_cur
  limit.rlim_cur = min(count, limit.rlim_max)
  setrlimit(limitOnDescriptors, &limit)
  return usual
}
