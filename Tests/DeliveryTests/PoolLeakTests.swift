import Core
import Delivery
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// Checks for leaked pipes and zombies, in a separate process in which no other test runs.
@Suite(.timeLimit(.minutes(10)))
struct PoolLeakTests {
  @Test func `functions that crash, hang up or succeed leave no pipe and no zombie`() async {
    await #expect(processExitsWith: .success) {
      let expected = openPipes()
      for isolation in Isolation.allCases {
        try await invokeAll(isolation)
        // A process's pipes may be closed a moment after its end.
        while openPipes() != expected { try await Task.sleep(for: .milliseconds(10)) }
        #expect(waitpid(-1, nil, WNOHANG) == -1)
        #expect(errno == ECHILD)
      }
    }
  }
}

/// Runs sixty events. Half of them succeed, and the others fail in different ways.
private func invokeAll(_ isolation: Isolation) async throws {
  let event = """
    case "$line" in
    *0\\"*) exit 3 ;;
    *1\\"*) echo garbage ;;
    *2\\"*) kill -9 $$ ;;
    *3\\"*) head -c 20000000 /dev/zero ;;
    *4\\"*) exec 0<&- 1>&- 2>&- ; sleep 300 ;;
    *) echo '\(contentLine)' ;;
    esac
    """
  let body = "\(Mode.worker.ready); while read -r line; do \(event); done"
  let members = #""worker":true,"concurrency":4,"#
  try await withPool(probe(members, body), .init(isolation: isolation)) { test in
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          let result = await test.invoke("i\(number)")
          #expect((result.status == .ok) == (number % 10 > 4), "\(number): \(result)")
        }
      }
    }
  }
}

/// Returns the number of this process's open pipe ends.
///
/// Other files don't count, because the test library opens and closes some.
private func openPipes() -> Int {
  (0..<4_096).count { descriptor in
    var information = stat()
    return fstat(Int32(descriptor), &information) == 0
      && information.st_mode & S_IFMT == S_IFIFO
  }
}
