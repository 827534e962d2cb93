import CProcess
import Core

/// A variable by which all that a process starts is found, however it got out of its group.
///
/// Programs pass on their environment. Who starts one with another environment (`env -i`) isn't
/// found, and on macOS nobody is.
struct DescendantMark: Sendable {
  static let variable = "FUNCTION_PROCESS"
  /// A killed process may have started another one just before.
  private static let attempts = 16

  let value = UUID().uuidString

  /// Kills all that have it. Takes about a millisecond for a hundred processes of the machine.
  func killAll() {
    for _ in 0..<Self.attempts {
      guard cprocess_kill_marked("\(Self.variable)=\(value)") > 0 else { return }
    }
  }
}
