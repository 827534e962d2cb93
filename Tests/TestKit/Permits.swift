import Core

/// A first-in, first-out semaphore.
package actor Permits {
  /// The permits for starting an emulator. More starts at once than cores make each of them slow,
  /// and the functions miss the time limit for describing themselves.
  package static let starts = Permits(max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// The permits for emulators that one test has to itself, as long as they run. A process may have
  /// a limited number of open files (256 on macOS), and otherwise every test would have its pipes
  /// open at once.
  static let emulators = Permits(8)

  /// The permits for emulators of whole suites, taken before any of their tests begins. A run
  /// begins all suites at once, and each emulator needs memory and processes as long as its suite
  /// runs.
  static let suites = Permits(6)

  /// The permits for programs that run to their end, for the same reason.
  static let programs = Permits(16)

  private var free: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Runs `body` while it holds a permit.
  package nonisolated func hold<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    await take()
    do {
      let result = try await body()
      await giveBack()
      return result
    } catch {
      await giveBack()
      throw error
    }
  }

  private func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func giveBack() {
    if waiters.isEmpty {
      free += 1
    } else {
      waiters.removeFirst().resume()
    }
  }
}
