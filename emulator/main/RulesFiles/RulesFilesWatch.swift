import Core
import FunctionHost
import ServiceLifecycle
import Synchronization
import UI

/// The service that replaces the rules of databases or buckets when their files change.
///
/// If a new file can't be used, the old rules stay.
struct RulesFilesWatch<Compiled: Sendable>: Service {
  let source: RulesFilesSource<Compiled>
  let status: RulesFilesStatus
  let console: Console
  /// Replaces the rules in force.
  let replace: @Sendable (RulesFilesSource<Compiled>) -> Void

  func run() async {
    let current = Mutex(source)
    let files = Dictionary(uniqueKeysWithValues: source.files.enumerated().map { ($0, $1) })
    let watch = FileWatch(used: files.mapValues(\.identity)) {
      files.mapValues(\.location.identity)
    }
    await watch.run { index in
      let name = source.files[index].location.name
      do throws(StatusError) {
        try current.withLock { source throws(StatusError) in
          try source.reload(index)
          replace(source)
        }
        status.loaded()
        console.print("\(name): the rules were replaced")
      } catch {
        status.failed(error)
        console.warn("\(error.message)\n\(name): the rules before this change stay in force")
      }
    }
  }
}
