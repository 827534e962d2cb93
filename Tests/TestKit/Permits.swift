import Core

/// Lets only so many through at once; the others wait in turn.
package actor Permits {
  /// For whoever starts an emulator. More at once than there are cores would only make each of
  /// them slow, and the functions miss the time they have to describe themselves.
  package static let starts = Permits(max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// For emulators that one test has to itself, as long as they run: a process has a limit of open
  /// files, 256 on macOS, and every test would else have its pipes open at once.
  static let emulators = Permits(8)

  /// For emulators of whole suites, before any of their tests begins: a run begins all suites at
  /// once, and each emulator takes memory and processes as long as its suite runs.
  static let suites = Permits(6)

  /// For programs that run to their end, for the same reason.
  static let programs = Permits(16)

  private var free: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Runs `body` once it is let through.
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
