import Core
import FunctionHost
import RealtimeDatabase
import ServiceLifecycle
import Synchronization
import UI

/// The service that replaces the rules of the Realtime Databases when their files change.
///
/// If a new file can't be used, the old rules stay.
struct DatabaseRulesWatch: Service {
  let source: DatabaseRulesSource
  let store: DatabaseStore
  let status: DatabaseRulesStatus
  let console: Console

  func run() async {
    let current = Mutex(source)
    let watch = FileWatch(
      paths: source.files.map(\.location),
      identities: source.files.map(\.identity)
    )
    await watch.run { index in
      let name = source.files[index].location.name
      do throws(StatusError) {
        try current.withLock { source throws(StatusError) in
          try source.reload(index)
          store.replace(source.configured)
        }
        status.loaded()
        console.print("\(name): the rules were replaced")
      } catch {
        status.failed(error)
        console.print("\(error.message)\n\(name): the rules before this change stay in force")
      }
    }
  }
}
