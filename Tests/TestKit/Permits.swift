import Core

/// A first-in, first-out semaphore.
package actor Permits {
  /// The permits for starting an emulator.
  ///
  /// If more emulators than cores start at once, all become slow, and functions miss the time limit
  /// for printing their manifests.
  package static let starts = Permits(max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// The permits to run an emulator that only one test uses.
  ///
  /// The limit keeps the number of open pipes below the limit of open files (256 per process on
  /// macOS).
  static let emulators = Permits(8)

  /// The permits for running emulators that the tests of a suite share.
  ///
  /// A test run begins all suites at once. The limit bounds the memory and processes of their
  /// emulators.
  static let suites = Permits(6)

  /// The permits for programs that run to their end. The limit also bounds the number of open pipes.
  static let programs = Permits(16)

  private var free: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Takes a permit, waiting for a free one if necessary, and returns it after running `body`.
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
