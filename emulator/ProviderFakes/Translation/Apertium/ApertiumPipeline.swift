import Core
import FunctionHost

/// The running programs of one direction, which translate one text at a time.
///
/// An end marker follows each text and must come back after its translation. Programs that lose the
/// marker, exit or hang are replaced.
actor ApertiumPipeline {
  private let command: Command
  private let timeout: Duration
  private var process: ChildProcess?
  private var number = 0
  private var last: Task<String?, Never>?
  /// The time at which programs that hung may start again.
  private var pauseEnd = ContinuousClock.now
  private var hasEnded = false

  init(_ mode: ApertiumMode, environment: [String: String], timeout: Duration) {
    command = Command(
      executable: "/bin/sh",
      arguments: ["-c", mode.script],
      environment: environment.filter { ["PATH", "TMPDIR"].contains($0.key) }
        .merging(["LC_ALL": "C.UTF-8"]) { $1 }
    )
    self.timeout = timeout
  }

  /// Returns the programs' output for a text, or `nil` if there is none.
  ///
  /// - Parameter stream: the text without NUL, and with paired brackets only.
  func translate(_ stream: String) async -> String? {
    // Use a separate task, because the output must be read even if the caller is canceled.
    let turn = Task { [last] in
      _ = await last?.value
      return await self.answer(to: stream)
    }
    last = turn
    return await turn.value
  }

  /// Ends the programs until the next text.
  func rest() async {
    let turn = Task { [last] () -> String? in
      _ = await last?.value
      await self.stop()
      return nil
    }
    last = turn
    _ = await turn.value
  }

  /// Ends the programs immediately and permanently.
  func end() async {
    hasEnded = true
    await stop()
  }

  private func stop() async {
    guard let process else { return }
    self.process = nil
    await process.terminateGroup(grace: .zero)
    process.abandonPipes()
  }

  private func answer(to stream: String) async -> String? {
    guard ContinuousClock.now >= pauseEnd else { return nil }
    // The running programs may have exited since the last text, so a failure is retried once.
    let wasRunning = process != nil
    if let answer = await exchange(stream) { return answer }
    guard wasRunning, ContinuousClock.now >= pauseEnd else { return nil }
    return await exchange(stream)
  }

  private func exchange(_ stream: String) async -> String? {
    guard !hasEnded,
      let process = process ?? (try? ChildProcess.spawn(command, standardError: .null))
    else { return nil }
    self.process = process
    number += 1
    // Like Apertium's own tools, end the text with an empty blank, `[]`: some programs don't flush
    // their output after a word.
    let end = "[][\(number)]"
    let killer = Task { [timeout] in
      try await Task.sleep(for: timeout)
      // A process that left the group must not keep the pipes open.
      process.signal(SIGKILL)
      process.abandonPipes()
      return true
    }
    let line = await lines(of: process, stream + end)
    killer.cancel()
    if case .success(true) = await killer.result { pauseEnd = .now + timeout * 6 }
    guard let line, line.hasSuffix(end) else {
      await stop()
      return nil
    }
    return String(line.dropLast(end.count))
  }

  /// Returns the programs' output up to NUL.
  private func lines(of process: ChildProcess, _ text: String) async -> String? {
    do throws(StatusError) {
      try await process.write(Array(text.utf8) + [0])
      let line = try await process.output.nextLine(
        // No translation is longer than this.
        maximumLength: 16 * text.utf8.count + 4_096,
        end: 0
      )
      return line.flatMap { String(validating: $0, as: UTF8.self) }
    } catch {
      return nil
    }
  }
}
