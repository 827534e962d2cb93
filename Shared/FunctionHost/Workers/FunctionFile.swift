import Core
import FunctionRuntime
import Synchronization

/// A function's executable on disk: tells when it was rebuilt, and waits while it is.
///
/// Nothing watches it. It is looked at when an event comes, which takes a microsecond. A linker or
/// an editor may be at work just then, and the file be missing, not executable or half of it: it
/// is whole when it describes itself, and stayed the same meanwhile.
final class FunctionFile: Sendable {
  private struct State {
    var function: InstalledFunction
    var renewal: Task<Result<InstalledFunction, StatusError>, Never>?
    /// Since when it has not been whole.
    var brokenSince: ContinuousClock.Instant?
    var isClosed = false
  }

  /// How long to wait between two looks at a file that isn't whole.
  private static let pause = Duration.milliseconds(20)

  private let path: String
  private let patience: Duration
  private let onRebuilt: @Sendable (InstalledFunction) -> Void
  private let state: Mutex<State>

  /// - Parameters:
  ///   - patience: how long a file may take at most to be whole again.
  ///   - onRebuilt: told of the function each time it has become another.
  init(
    _ function: InstalledFunction,
    patience: Duration,
    onRebuilt: @escaping @Sendable (InstalledFunction) -> Void
  ) {
    path = function.command.executable
    self.patience = patience
    self.onRebuilt = onRebuilt
    state = Mutex(State(function: function))
  }

  /// The function as it is on disk now.
  ///
  /// - Throws: what is wrong with the file, if that lasts; CANCELLED once closed.
  func current() async throws(StatusError) -> InstalledFunction {
    let known = state.withLock(\.function)
    // Where there is nothing to look at, as for a name in PATH, it stays what it is.
    if FileIdentity(path) == known.file { return known }
    return try await renewed()
  }

  /// The same for who could not start it: it may just have been replaced.
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

  /// Waits for nothing any more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.renewal?.cancel()
    }
  }

  private func renew() async -> Result<InstalledFunction, StatusError> {
    let known = state.withLock(\.function)
    // Nor longer than the function itself may take.
    let patience = min(patience, .seconds(known.manifest.timeoutSeconds))
    let brokenSince = state.withLock { state in
      let since = state.brokenSince ?? .now
      state.brokenSince = since
      return since
    }
    while true {
      let result = await describe(known)
      let isUp = ContinuousClock.now >= brokenSince + patience || Task.isCancelled
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
      let function = try await InstalledFunction(describing: known.command)
      guard function.name == known.name else {
        throw StatusError(.failedPrecondition, "\(path) is \(function.name) now, not \(known.name)")
      }
      return .success(function)
    } catch {
      return .failure(error)
    }
  }
}
