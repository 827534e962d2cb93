import CProcess
import Core

/// An environment variable that marks all descendants of a process, even those that left its group.
///
/// Programs pass their environment on. A process that was started with another environment, as by
/// `env -i`, isn't found. On macOS none is found.
struct DescendantMark: Sendable {
  static let variable = "FUNCTION_PROCESS"
  /// The maximum number of rounds: a killed process may have started another one just before.
  private static let attempts = 16

  let value = UUID().uuidString

  /// Kills all processes that have the mark.
  ///
  /// Takes about a millisecond per hundred processes on the machine.
  func killAll() {
    for _ in 0..<Self.attempts {
      guard cprocess_kill_marked("\(Self.variable)=\(value)") > 0 else { return }
    }
  }
}
