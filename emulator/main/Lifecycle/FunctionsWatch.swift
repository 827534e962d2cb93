import Core
import Delivery
import FunctionHost
import Logging
import Synchronization

/// A watch over the functions' folders, which takes up added, changed and removed functions while
/// the emulator runs.
final class FunctionsWatch: Sendable {
  /// The time for which a function's file may be missing, as during a build, before the function
  /// counts as removed. Events that arrive meanwhile wait.
  private static let absence = FunctionPool.Settings().rebuildTimeout

  private struct State {
    /// The files at the last look, with the time since which they are missing.
    var files: [String: (file: FunctionFolders.File, missing: ContinuousClock.Instant?)] = [:]
    /// The functions as they were last reported, by the executable's path.
    var functions: [String: InstalledFunction] = [:]
    /// The paths of functions whose name another function had.
    var duplicates: Set<String> = []
    /// The duplicates of functions that were removed, which are looked at again.
    var released: Set<String> = []
    /// The entries of the folders.
    var listings: [String: FunctionFolders.Listing] = [:]
  }

  private let installation: FunctionInstallation
  private let state = Mutex(State())
  /// The permit to take up a change. Several files may be described at once.
  private let changes = AsyncSemaphore(limit: 1)

  private var dispatcher: Dispatcher { installation.preparation.components.dispatcher }
  private var folders: FunctionFolders { installation.folders }
  private var console: Console { installation.preparation.console }
  private var logger: Logger { installation.preparation.components.logger }

  init(_ installation: FunctionInstallation) { self.installation = installation }

  func run() async {
    let functions = dispatcher.catalog.functions.values
    state.withLock { state in
      state.functions = Dictionary(functions.map { ($0.command.executable, $0) }) { $1 }
      state.duplicates = installation.duplicates
    }
    // A file may have changed since it was described: then the first look finds it.
    var used = installation.files
    for function in functions {
      if let file = function.file { used[function.command.executable]?.identity = file }
    }
    await FileWatch(used: used) { self.look() }.run { path in await self.update(path) }
  }

  /// Returns the files of the folders. A missing file is returned as it was, until it is missing for
  /// a while.
  private func look() -> [String: FunctionFolders.File] {
    state.withLock { state in
      let found = try? folders.files(knowing: &state.listings)
      guard let found else { return state.files.mapValues(\.file) }
      var files = found.mapValues { (file: $0, missing: ContinuousClock.Instant?.none) }
      for (path, (file, missing)) in state.files where files[path] == nil {
        let missing = missing ?? .now
        if missing + Self.absence > .now { files[path] = (file, missing) }
      }
      state.files = files
      return files.mapValues(\.file)
    }
  }

  /// Describes a file that has changed, and takes up the change.
  private func update(_ path: String) async {
    var description: Result<InstalledFunction, StatusError>?
    if FunctionFolders.file(path)?.isExecutable == true {
      description = await folders.describe(path)
    }
    guard await changes.wait() == .acquired else { return }
    await apply(description, of: path)
    let released = state.withLock { state in
      defer { state.released = [] }
      return state.released
    }
    changes.signal()
    for path in released.sorted() { await update(path) }
  }

  /// Takes up the change of a file.
  ///
  /// - Parameter description: The function, or `nil` if the file wasn't executable.
  private func apply(
    _ description: Result<InstalledFunction, StatusError>?,
    of path: String
  ) async {
    let known = state.withLock { $0.functions[path] }
    guard let file = FunctionFolders.file(path) else {
      if let known { remove(known) }
      return
    }
    guard file.isExecutable else {
      if let known {
        warn(of: known, "it isn't executable: chmod +x \(path)")
      } else {
        SkippedFiles(logger).addUnexecutable(path)
      }
      return
    }
    // A file that has become executable meanwhile is reported again.
    guard let description else { return }
    do throws(StatusError) {
      let function = try description.get()
      SkippedFiles.reportUnknownMembers(of: function, logger)
      if let known, known.name == function.name { return try await replace(known, by: function) }
      if let known { remove(known) }
      try await add(function)
    } catch {
      if let known {
        warn(of: known, error.message)
      } else {
        var skipped = SkippedFiles(logger)
        skipped.add(path, error)
        skipped.reportPrograms()
      }
    }
  }

  private func warn(of function: InstalledFunction, _ reason: String) {
    logger.warning(
      "function \(function.name) can't run until its file is corrected",
      metadata: ["path": "\(function.command.executable)", "reason": "\(reason)"]
    )
  }

  // MARK: Changes

  private func add(_ function: InstalledFunction) async throws(StatusError) {
    let path = function.command.executable
    if let other = dispatcher.catalog.functions[function.name] {
      // A file that was moved is missing at its old path.
      guard FunctionFolders.file(other.command.executable) == nil else {
        state.withLock { _ = $0.duplicates.insert(path) }
        SkippedFiles.duplicate(path, of: other.command.executable, name: function.name, logger)
        return
      }
      remove(other)
    }
    do {
      try await installation.add(function)
    } catch let error as StatusError {
      throw error
    } catch {
      // The emulator stops.
      return
    }
    state.withLock { $0.functions[path] = function }
    console.print("function \(function.name) added")
  }

  private func replace(
    _ known: InstalledFunction,
    by function: InstalledFunction
  ) async throws(StatusError) {
    dispatcher.update(function)
    state.withLock { $0.functions[known.command.executable] = function }
    guard function.manifest != known.manifest else {
      return console.print("function \(known.name): executable changed")
    }
    console.print("function \(known.name): manifest changed")
    try await installation.registerElsewhere(FunctionCatalog([function]))
  }

  private func remove(_ function: InstalledFunction) {
    let waiting = dispatcher.remove(function.name)
    console.print(
      "function \(function.name) removed"
        + (waiting == 0 ? "" : ": its deliveries wait until it is added again (\(waiting))")
    )
    state.withLock { state in
      state.functions[function.command.executable] = nil
      state.released.formUnion(state.duplicates)
      state.duplicates = []
    }
  }
}
