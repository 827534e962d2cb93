import Core
import Delivery
import FunctionHost
import FunctionRuntime
import Synchronization
import TestKit
import Testing

/// An executable that changes while the emulator runs.
@Suite(.timeLimit(.minutes(10)))
struct RebuildTests {
  /// Returns a script that answers every event with its version.
  private func version(_ name: String, _ mode: Mode = .worker, members: String = "") -> String {
    let line = #"{"status":"skipped","reason":"\#(name)"}"#
    let body =
      mode == .oneShot
      ? "echo '\(line)'" : "\(mode.ready); while read -r line; do echo '\(line)'; done"
    return probe(mode.members + members, body)
  }

  private func settings(
    _ mode: Mode = .worker,
    timeout: Duration = .seconds(3_600)
  ) -> FunctionPool.Settings {
    var settings = FunctionPool.Settings(isolation: mode == .worker ? .worker : .process)
    settings.rebuildTimeout = timeout
    return settings
  }

  @Test(arguments: Mode.allCases)
  func `an event after a rebuild is run by the new version, and old processes end`(
    mode: Mode
  ) async throws {
    var settings = settings(mode)
    let rebuilt = Mutex<[InstalledFunction]>([])
    settings.onRebuilt = { function in rebuilt.withLock { $0.append(function) } }
    try await withPool(version("old", mode), settings) { test in
      for _ in 1...2 { #expect(await test.invoke().reason == "old") }
      let old = test.lines(of: "groups")
      try await test.install(version("new", mode, members: #""timeoutSeconds":7,"#))
      for _ in 1...2 { #expect(await test.invoke().reason == "new") }
      try await test.waitForEnds(among: old)
      #expect(rebuilt.withLock { $0.map(\.manifest.timeoutSeconds) } == [7])
    }
  }

  @Test func `a running event is finished by the old version`() async throws {
    let body = """
      \(Mode.worker.ready)
      read -r line; echo >>"$FOLDER/begun"
      while [ ! -e "$FOLDER/go" ]; do sleep 0.01; done
      echo '{"status":"skipped","reason":"old"}'; read -r line
      """
    try await withPool(probe(Mode.worker.members, body), settings()) { test in
      async let first = test.invoke("i1")
      try await test.waitForLines(1, of: "begun")
      try await test.install(version("new"))
      #expect(await test.invoke("i2").reason == "new")
      #expect(FileManager.default.createFile(atPath: "\(test.folder)/go", contents: nil))
      #expect(await first.reason == "old")
      #expect(await test.invoke("i3").reason == "new")
      try await test.waitForEnds(among: Array(test.lines(of: "groups").prefix(1)))
    }
  }

  @Test func `a new concurrency applies at once`() async throws {
    let script = version("old", members: #""concurrency":1,"#)
    try await withPool(script, settings()) { test in
      #expect(await test.invoke().reason == "old")
      let body = """
        \(Mode.worker.ready)
        while read -r line; do
          echo >>"$FOLDER/begun"
          while [ "$(wc -l <"$FOLDER/begun")" -lt 4 ]; do sleep 0.01; done
          echo '\(contentLine)'
        done
        """
      try await test.install(probe(#""worker":true,"concurrency":4,"#, body))
      await withTaskGroup(of: InvocationResult.self) { group in
        for number in 1...4 { group.addTask { await test.invoke("i\(number)") } }
        for await result in group { #expect(result.status == .ok) }
      }
    }
  }

  /// States of an executable that a linker or an editor is still writing.
  enum Halfway: String, CaseIterable {
    case missing, notExecutable, half, openForWriting
  }

  @Test(arguments: [Mode.worker, .oneShot], Halfway.allCases)
  func `an event waits while the executable is incomplete`(
    mode: Mode,
    halfway: Halfway
  ) async throws {
    try await withPool(version("old", mode), settings(mode)) { test in
      #expect(await test.invoke().reason == "old")
      let path = "\(test.folder)/functions/probe"
      let new = version("new", mode)
      try await makeFile("\(test.folder)/source", new)
      switch halfway {
      case .missing:
        try FileManager.default.removeItem(atPath: path)
        async let result = test.invoke()
        try await test.install(new)
        #expect(await result.reason == "new")
      case .notExecutable:
        try FileManager.default.removeItem(atPath: path)
        try await makeFile(path, new)
        async let result = test.invoke()
        _ = try await runProgram("/bin/chmod", ["755", path])
        #expect(await result.reason == "new")
      case .half:
        try FileManager.default.removeItem(atPath: path)
        try await makeFile(path, "#!/bin/sh\nexit 7\n", isExecutable: true)
        async let result = test.invoke()
        try await test.install(new)
        #expect(await result.reason == "new")
      case .openForWriting:
        // Linux refuses to execute a file that is open for writing.
        let script = #"exec 9>"$1"; cat "$2" >&9; echo open; read -r line"#
        let writer = try ChildProcess.spawn(
          Command(
            executable: "/bin/sh",
            arguments: ["-c", script, "sh", path, "\(test.folder)/source"],
            environment: plainEnvironment
          )
        )
        #expect(try await writer.output.nextLine(maximumLength: 100) != nil)
        async let result = test.invoke()
        writer.closeInput()
        _ = await writer.exitStatus()
        #expect(await result.reason == "new")
      }
    }
  }

  @Test(arguments: Mode.allCases, ["vanished", "not executable", "another function"])
  func `an executable that stays broken fails its events, with retries, until it is fixed`(
    mode: Mode,
    fault: String
  ) async throws {
    try await withPool(version("old", mode), settings(mode, timeout: .zero)) { test in
      #expect(await test.invoke().reason == "old")
      let path = "\(test.folder)/functions/probe"
      let message: String
      switch fault {
      case "vanished":
        try FileManager.default.removeItem(atPath: path)
        message = "\(path) doesn't exist"
      case "not executable":
        try FileManager.default.removeItem(atPath: path)
        try await makeFile(path, version("new", mode))
        message = "\(path) is not executable"
      default:
        try await test.install(script("other", "", ":"))
        message = "\(path) now contains the function other, not probe"
      }
      for _ in 1...2 {
        let result = await test.invoke()
        #expect(result.error?.message == message)
        #expect(result.exitCode == 70)
        #expect(result.isRetryable)
      }
      try await test.install(version("new", mode))
      #expect(await test.invoke().reason == "new")
    }
  }

  @Test func `closing the pool doesn't wait for a rebuild`() async throws {
    try await withPool(version("old"), settings()) { test in
      #expect(await test.invoke().reason == "old")
      try FileManager.default.removeItem(atPath: "\(test.folder)/functions/probe")
      async let result = test.invoke()
      await Task.yield()
      await test.pool.close()
      #expect(await result.error?.code == .cancelled)
    }
  }

  @Test func `the dispatcher uses the new manifest`() async throws {
    let body = "echo '\(contentLine)'"
    try await withDispatcher(["probe": script("probe", "", body)]) { dispatcher in
      #expect(try await dispatcher.delivered(creation(of: "n1")).state == .succeeded)
      let path = try #require(dispatcher.catalog.functions["probe"]?.command.executable)
      let other = script("probe", #""timeoutSeconds":7,"#, body)
      try await makeFile("\(path).new", other, isExecutable: true)
      try #require(rename("\(path).new", path) == 0)
      #expect(try await dispatcher.delivered(creation(of: "n2")).state == .succeeded)
      #expect(dispatcher.catalog.functions["probe"]?.manifest.timeoutSeconds == 7)
    }
  }
}
