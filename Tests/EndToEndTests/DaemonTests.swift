import Core
import TestKit
import Testing

/// Processes that keep running after the command of `exec` that started them.
@Suite(.timeLimit(.minutes(10)))
struct DaemonTests {
  @Test func `a daemon that exec's command starts keeps running`() async throws {
    try await withEmulatorShell { shell in
      let (begun, alive) = ("\(shell.folder)/begun", "\(shell.folder)/alive")
      #expect(try await runProgram("/usr/bin/mkfifo", [begun, alive]).exitCode == 0)
      let output = try await shell.exec(
        """
        setsid sh -c 'echo >'"\(begun)"'; echo alive >'"\(alive)" </dev/null >&0 2>&0 &
        # Somebody reads the first line when the daemon runs.
        read -r line <"\(begun)"
        """
      )
      #expect(output.exitCode == 0, "\(output.errorText)")
      // The daemon's write waits until a process opens the pipe for reading, as `cat` does here.
      #expect(try await runProgram("/bin/cat", [alive]).text == "alive\n")
    }
  }
}
