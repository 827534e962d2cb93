package import Core
package import FunctionHost
package import FunctionRuntime
import Logging
import Synchronization

/// The targets, variables and observers of the functions that a dispatcher runs.
package struct Installation: Sendable {
  /// The targets of functions that don't run in local processes, by the function's name.
  package var targets: [String: any FunctionTarget] = [:]
  /// The inspections of functions that wait for a debugger, by the function's name.
  package var inspections: [String: Inspection] = [:]
  /// Returns the environment variables of a function whose manifest has changed, or `nil` to keep
  /// its own.
  package var environment: (@Sendable (FunctionManifest) -> [String: String])?
  /// Wraps a function's target in a target that observes the function's invocations.
  package var observe: @Sendable (InstalledFunction, any FunctionTarget) -> any FunctionTarget = {
    $1
  }

  package init() {}
}

extension Dispatcher {
  /// Installs the functions. Call this method once, before the first write.
  package func install(_ catalog: FunctionCatalog, _ installation: Installation = .init()) {
    state.withLock { state in
      state.installation = installation
      state.catalog = catalog
      state.manifests = catalog.functions.mapValues(\.manifest)
      for function in catalog.functions.values { makeTarget(of: function, &state) }
    }
    warnOfCycles(besides: [])
    adopt(Set(catalog.functions.keys))
  }

  /// Adds a function while the dispatcher runs, and schedules the deliveries that wait for it.
  ///
  /// - Throws: `ALREADY_EXISTS` if another function has the same name.
  package func add(_ function: InstalledFunction) throws(StatusError) {
    let cycles = catalog.cycles
    try state.withLock { state throws(StatusError) in
      guard state.manifests[function.name] == nil else {
        throw StatusError(
          .alreadyExists,
          "there is already a function with the name \(quoted(function.name))"
        )
      }
      state.catalog = state.catalog.replacing(function)
      state.manifests[function.name] = function.manifest
      makeTarget(of: function, &state)
    }
    warnOfCycles(besides: cycles)
    adopt([function.name])
  }

  /// Removes a function. Its invocations in progress go on; its other deliveries wait until a
  /// function of this name is added.
  ///
  /// - Returns: The number of deliveries that wait.
  @discardableResult
  package func remove(_ name: String) -> Int {
    let pool = state.withLock { state in
      guard state.catalog.functions[name] != nil else { return nil as FunctionPool? }
      state.catalog = state.catalog.removing(name)
      state.manifests[name] = nil
      state.targets[name] = nil
      state.pausedFunctions.remove(name)
      let pool = state.pools.removeValue(forKey: name)
      if let pool { state.retired.append(pool) }
      return pool
    }
    if let pool { Task { await pool.retire() } }
    releaseHeldDeliveries()
    return outbox.loads[name]?.waiting ?? 0
  }

  /// Takes up a change of a function's executable or manifest now. Otherwise the next event does.
  ///
  /// - Parameter function: The function as it is on disk now.
  package func update(_ function: InstalledFunction) {
    let cycles = catalog.cycles
    if let pool = state.withLock({ $0.pools[function.name] }) {
      pool.update(function)
    } else {
      replace(function)
    }
    warnOfCycles(besides: cycles)
  }

  private func replace(_ function: InstalledFunction) {
    state.withLock { state in
      // A rebuild may end after the function's removal.
      guard state.catalog.functions[function.name] != nil else { return }
      state.catalog = state.catalog.replacing(function)
      state.manifests[function.name] = function.manifest
    }
  }

  private func makeTarget(of function: InstalledFunction, _ state: inout State) {
    let installation = state.installation
    if let target = installation.targets[function.name] {
      state.targets[function.name] = installation.observe(function, target)
      return
    }
    var settings = FunctionPool.Settings(isolation: isolation)
    settings.inspection = installation.inspections[function.name]
    settings.environment = installation.environment
    settings.onRebuilt = { [weak self] function in self?.replace(function) }
    let pool = FunctionPool(function, settings: settings, logs: logs)
    state.pools[function.name] = pool
    state.targets[function.name] = installation.observe(function, pool)
  }

  private func warnOfCycles(besides known: [String]) {
    for cycle in catalog.cycles where !known.contains(cycle) {
      logger.warning(
        "functions may trigger each other in an endless loop",
        metadata: ["cycle": "\(cycle)"]
      )
    }
  }
}
