import CProcess
import Core

/// An environment variable that marks all descendants of a process, even those that left its group.
///
/// Processes inherit their parent's environment. A descendant that was started with another
/// environment, as by `env -i`, isn't found. On macOS no descendant is found.
struct DescendantMark: Sendable {
  static let variable = "FUNCTION_PROCESS"
  /// The maximum time for killing. One round isn't enough, because a process may start another
  /// process just before it is killed.
  private static let limit = Duration.seconds(10)
  /// The maximum number of rounds that kill nothing.
  private static let idleRounds = 16

  let value = UUID().uuidString

  /// Kills all processes that have the variable in their environment.
  ///
  /// Takes about a millisecond per hundred processes on the machine. If a newer process has no
  /// environment, it may be executing another program. It is then looked at again, for a second at
  /// most, because the environment of another program's process may stay empty.
  ///
  /// - Parameter ancestor: The process whose descendants have the variable.
  func killAll(below ancestor: pid_t) {
    Self.killAll(with: "\(Self.variable)=\(value)", below: ancestor)
  }

  /// Kills all processes that have a variable, `NAME=value`, in their environment.
  ///
  /// - Parameter ancestor: The process whose descendants have the variable, or 0 if it has ended.
  static func killAll(with variable: String, below ancestor: pid_t) {
    var delay: UInt32 = 1_000
    var idleRounds = 0
    let end = ContinuousClock.now + Self.limit
    while idleRounds < Self.idleRounds, ContinuousClock.now < end {
      var isUndecided = false
      let killed = cprocess_kill_marked(variable, ancestor, &isUndecided)
      guard killed > 0 || isUndecided else { return }
      if killed == 0 { idleRounds += 1 }
      // The kernel reports to nobody that a process has ended or has executed its program, so ask
      // again later. On a busy machine, a killed process can still be found for a while. This thread
      // has nothing else to do: it waits for the ancestor's end.
      usleep(delay)
      delay = min(2 * delay, 100_000)
    }
  }
}
