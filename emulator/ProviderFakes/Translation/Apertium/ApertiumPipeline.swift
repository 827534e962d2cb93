import Core
import FunctionHost

/// The programs of one direction, kept running: a text in, its translation out, one at a time.
///
/// What is put behind each text must come back behind its translation. Programs that lose it, end
/// or hang are replaced.
actor ApertiumPipeline {
  private let command: Command
  private let patience: Duration
  private var process: ChildProcess?
  private var number = 0
  private var last: Task<String?, Never>?
  /// When programs that hung are started again.
  private var pauseEnd = ContinuousClock.now
  private var hasEnded = false

  init(_ mode: ApertiumMode, environment: [String: String], patience: Duration) {
    command = Command(
      executable: "/bin/sh",
      arguments: ["-c", mode.script],
      environment: environment.filter { ["PATH", "TMPDIR"].contains($0.key) }
        .merging(["LC_ALL": "C.UTF-8"]) { $1 }
    )
    self.patience = patience
  }

  /// The answer to a text, nil if there is none.
  ///
  /// - Parameter stream: without NUL, and with brackets only in pairs.
  func translate(_ stream: String) async -> String? {
    // A task of its own: an answer that nobody waits for any more must be read all the same.
    let turn = Task { [last] in
      _ = await last?.value
      return await self.answer(to: stream)
    }
    last = turn
    return await turn.value
  }

  /// Ends the programs until they are needed again.
  func rest() async {
    let turn = Task { [last] () -> String? in
      _ = await last?.value
      await self.stop()
      return nil
    }
    last = turn
    _ = await turn.value
  }

  /// Ends the programs at once and for good.
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
    // Programs that have answered may have ended since then, for whatever reason.
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
    // With an empty blank before it, as their own tools end a text; some don't flush behind a word.
    let end = "[][\(number)]"
    let killer = Task { [patience] in
      try await Task.sleep(for: patience)
      // Also what has left the group can't keep us waiting.
      process.signal(SIGKILL)
      process.abandonPipes()
      return true
    }
    let line = await lines(of: process, stream + end)
    killer.cancel()
    if case .success(true) = await killer.result { pauseEnd = .now + patience * 6 }
    guard let line, line.hasSuffix(end) else {
      await stop()
      return nil
    }
    return String(line.dropLast(end.count))
  }

  /// What the programs answer, up to NUL.
  private func lines(of process: ChildProcess, _ text: String) async -> String? {
    do throws(StatusError) {
      try await process.write(Array(text.utf8) + [0])
      let line = try await process.output.nextLine(
        // No language needs more.
        maximumLength: 16 * text.utf8.count + 4_096,
        end: 0
      )
      return line.flatMap { String(validating: $0, as: UTF8.self) }
    } catch {
      return nil
    }
  }
}
