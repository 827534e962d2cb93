import Platform
import TestKit
import Testing

/// Processes that commands of `exec` leave running.
@Suite(.timeLimit(.minutes(10)))
struct DaemonTests {
  @Test func `a daemon that exec's command starts is left alone`() async throws {
    try await withEmulatorShell { shell in
      let pipe = "\(shell.folder)/daemon"
      #expect(try await runProgram("/usr/bin/mkfifo", [pipe]).exitCode == 0)
      let output = try await shell.exec(
        """
        setsid sh -c 'echo >'"\(pipe)"'; echo alive >'"\(pipe)" </dev/null >&0 2>&0 &
        # Somebody reads the first line when the daemon runs.
        read -r line <"\(pipe)"
        """
      )
      #expect(output.exitCode == 0, "\(output.errorText)")
      // It writes when somebody reads, which is now.
      #expect(try await runProgram("/bin/cat", [pipe]).text == "alive\n")
    }
  }
}
