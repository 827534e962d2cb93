import Core
import FunctionRuntime
import Synchronization

/// A monitor of a function's executable on disk, which notices a rebuild and waits until the new
/// file is complete.
///
/// The file is checked at every event, which takes a microsecond. During a rebuild the file may be
/// missing, not executable or incomplete. It counts as complete if running it with `--describe`
/// succeeds and the file doesn't change in the meantime.
final class FunctionFile: Sendable {
  private struct State {
    var function: InstalledFunction
    var renewal: Task<Result<InstalledFunction, StatusError>, Never>?
    /// The time since which the file has been incomplete, or `nil` if it is complete.
    var brokenSince: ContinuousClock.Instant?
    var isClosed = false
  }

  /// The polling interval while the file is incomplete.
  private static let pause = Duration.milliseconds(20)

  private let path: String
  private let timeout: Duration
  private let environment: (@Sendable (FunctionManifest) -> [String: String])?
  private let onRebuilt: @Sendable (InstalledFunction) -> Void
  private let state: Mutex<State>

  /// Creates a monitor for an installed function's executable.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for a complete file.
  ///   - environment: Returns the environment variables for a new manifest, or `nil` to keep the
  ///     function's own.
  ///   - onRebuilt: Called with the new function each time the executable or its manifest has
  ///     changed.
  init(
    _ function: InstalledFunction,
    timeout: Duration,
    environment: (@Sendable (FunctionManifest) -> [String: String])? = nil,
    onRebuilt: @escaping @Sendable (InstalledFunction) -> Void
  ) {
    path = function.command.executable
    self.timeout = timeout
    self.environment = environment
    self.onRebuilt = onRebuilt
    state = Mutex(State(function: function))
  }

  /// Returns the function as it is on disk now.
  ///
  /// - Throws: The last error of describing the file, if the file stays incomplete until the time
  ///   limit. CANCELLED after `close`.
  func current() async throws(StatusError) -> InstalledFunction {
    let known = state.withLock(\.function)
    // A command that isn't a path, such as a name in PATH, has no file to check and counts as
    // unchanged.
    if FileIdentity(path) == known.file { return known }
    return try await renewed()
  }

  /// Reads the function from disk again. Call it if the function couldn't be started, because the
  /// file may just have been replaced.
  func renewed() async throws(StatusError) -> InstalledFunction {
    let renewal = state.withLock { state in
      if let renewal = state.renewal { return renewal }
      let renewal = Task { await renew() }
      state.renewal = renewal
      if state.isClosed { renewal.cancel() }
      return renewal
    }
    return try await renewal.value.get()
  }

  /// Takes up a function that was described elsewhere.
  func update(_ function: InstalledFunction) {
    let function = environment.map(function.withEnvironment) ?? function
    let known = state.withLock { state in
      defer {
        state.function = function
        state.brokenSince = nil
      }
      return state.function
    }
    if function.file != known.file || function.manifest != known.manifest { onRebuilt(function) }
  }

  /// Ends waits for a complete file.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.renewal?.cancel()
    }
  }

  private func renew() async -> Result<InstalledFunction, StatusError> {
    let known = state.withLock(\.function)
    // Don't wait longer than the function's own time limit.
    let timeout = min(timeout, .seconds(known.manifest.timeoutSeconds))
    let brokenSince = state.withLock { state in
      let since = state.brokenSince ?? .now
      state.brokenSince = since
      return since
    }
    while true {
      let result = await describe(known)
      let isUp = ContinuousClock.now >= brokenSince + timeout || Task.isCancelled
      switch result {
      case .success(let function) where FileIdentity(path) == function.file || isUp:
        state.withLock { state in
          state.function = function
          state.brokenSince = nil
          state.renewal = nil
        }
        if function.file != known.file || function.manifest != known.manifest {
          onRebuilt(function)
        }
        return result
      case .failure where isUp:
        state.withLock { $0.renewal = nil }
        return result
      case .success, .failure:
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  private func describe(
    _ known: InstalledFunction
  ) async -> Result<InstalledFunction, StatusError> {
    do throws(StatusError) {
      // Some interpreters need seconds to start on a busy machine.
      let seconds = min(10, max(2, Int(timeout / .seconds(1))))
      let function = try await InstalledFunction(describing: known.command, within: seconds)
      guard function.name == known.name else {
        throw StatusError(
          .failedPrecondition,
          "\(path) now contains the function \(function.name), not \(known.name)"
        )
      }
      return .success(environment.map(function.withEnvironment) ?? function)
    } catch {
      return .failure(error)
    }
  }
}
