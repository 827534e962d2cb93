import Core
import FunctionHost
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SpawnTests {
  @Test func `a child has only the variables it is given`() async throws {
    let command = Command(
      executable: "/usr/bin/env",
      environment: ["ONE": "1", "TEXT": "grüße = \n two"]
    )
    let lines = try await printed(by: command).split(separator: "\n").sorted()
    #expect(lines == [" two", "ONE=1", "SWIFT_BACKTRACE=enable=no", "TEXT=grüße = "])
  }

  @Test func `a given setting for backtraces is kept`() async throws {
    let command = Command(
      executable: "/usr/bin/env",
      environment: ["SWIFT_BACKTRACE": "enable=yes"]
    )
    #expect(try await printed(by: command) == "SWIFT_BACKTRACE=enable=yes\n")
  }

  @Test func `arguments are passed unchanged`() async throws {
    let arguments = ["", "two words", "$HOME", "grüße", "a\nb"]
    let command = Command(
      executable: "printf",
      arguments: ["<%s>"] + arguments,
      environment: searchPath
    )
    #expect(try await printed(by: command) == arguments.map { "<\($0)>" }.joined())
  }

  @Test func `a child has no open file but its standard streams`() async throws {
    // The child must not inherit this descriptor, although it is opened without `O_CLOEXEC`.
    let careless = open("/dev/null", O_RDONLY)
    defer { close(careless) }
    let last = max(250, careless)
    let script = "for n in $(seq 0 \(last)); do [ -e /dev/fd/$n ] && echo $n; done; :"
    #expect(careless > 2)
    #expect(try await printed(by: shell(script)) == "0\n1\n2\n")
  }

  @Test func `a bare name is searched in the given PATH`() async throws {
    try await withTemporaryFolder { directory in
      try await makeFile("\(directory)/first/tool", "#!/bin/sh\necho first")
      try makeFolder("\(directory)/first/other")
      try await makeFile("\(directory)/second/tool", "#!/bin/sh\necho second", isExecutable: true)
      try await makeFile("\(directory)/second/other", "#!/bin/sh\necho other", isExecutable: true)
      let environment = ["PATH": "/missing:\(directory)/first:\(directory)/second"]

      let tool = Command(executable: "tool", environment: environment)
      #expect(try await printed(by: tool) == "second\n", "a file that isn't executable is skipped")
      let other = Command(executable: "other", environment: environment)
      #expect(try await printed(by: other) == "other\n", "a directory is skipped")
      let relative = Command(
        executable: "tool",
        environment: ["PATH": "second"],
        workingDirectory: directory
      )
      #expect(try await printed(by: relative) == "second\n")

      let refused = Command(executable: "tool", environment: ["PATH": "\(directory)/first"])
      #expect(refusal(of: refused)?.code == .permissionDenied)
      let missing = Command(executable: "absent", environment: environment)
      #expect(refusal(of: missing)?.code == .notFound)
      #expect(refusal(of: missing)?.message.contains("absent") == true)
    }
  }

  @Test func `a child starts in the directory it is given`() async throws {
    try await withTemporaryFolder { directory in
      try await makeFile("\(directory)/here", "#!/bin/sh\nls", isExecutable: true)
      var command = Command(
        executable: "./here",
        environment: searchPath,
        workingDirectory: directory
      )
      #expect(try await printed(by: command) == "here\n")

      command.workingDirectory = "\(directory)/absent"
      command.executable = "/bin/sh"
      #expect(refusal(of: command)?.code == .notFound)
      #expect(refusal(of: command)?.message.contains("\(directory)/absent") == true)
    }
  }

  @Test func `a file that can't be executed is refused by name`() async throws {
    try await withTemporaryFolder { directory in
      try await makeFile("\(directory)/plain", "#!/bin/sh\n")
      try await makeFile("\(directory)/orphan", "#!/absent/interpreter\n", isExecutable: true)
      try await makeFile("\(directory)/unmarked", "echo no first line\n", isExecutable: true)
      for (path, code) in [
        ("\(directory)/absent", StatusCode.notFound),
        ("\(directory)/plain/below", .notFound),
        ("\(directory)/orphan", .notFound),
        ("\(directory)/plain", .permissionDenied),
        (directory, .permissionDenied),
        ("\(directory)/unmarked", .failedPrecondition),
      ] {
        let error = refusal(of: Command(executable: path, environment: searchPath))
        #expect(error?.code == code)
        #expect(error?.message.contains(path) == true)
      }
    }
  }

  @Test(arguments: [
    Command(executable: "/bin/echo", arguments: ["a\0b"], environment: [:]),
    Command(executable: "/bin/echo", environment: ["A": "a\0b"]),
    Command(executable: "/bin/echo", environment: ["A=B": "c"]),
    Command(executable: "/bin/echo", environment: ["": "c"]),
    Command(executable: "/bin/echo", environment: [:], workingDirectory: "/tmp\0/x"),
    Command(
      executable: "/bin/echo",
      arguments: [String(repeating: "x", count: 1 << 23)],
      environment: [:]
    ),
  ])
  func `arguments that no program can get are refused`(command: Command) {
    #expect(refusal(of: command)?.code == .invalidArgument)
  }
}

/// Returns the error with which a command fails to start, or `nil` if it starts.
private func refusal(of command: Command) -> StatusError? {
  do throws(StatusError) {
    _ = try spawn(command)
    return nil
  } catch {
    return error
  }
}
