import Core
import ServiceLifecycle
import Synchronization

/// A watch over files, until graceful shutdown.
///
/// The files are looked at ten times a second, which works for files that editors replace, for
/// linked files, and on every file system. Looks that take long are rarer, so that they use less than
/// one percent of a core.
struct FileWatch<Key: Hashable & Sendable, File: Equatable & Sendable>: Sendable {
  private static var interval: Duration { .milliseconds(100) }
  /// The minimum quotient of the time between two looks and the time that a look takes.
  private static var idleRatio: Int { 120 }

  /// The files as they are in use.
  let used: [Key: File]
  /// Returns the files as they are now. A file that doesn't exist is left out.
  let look: @Sendable () -> [Key: File]

  /// Calls a closure with the key of each file that has changed, and was the same in the last two
  /// looks: one that changes may still be being written.
  ///
  /// - Parameter onChange: The closure. It is called for several files at once, but not for a file
  ///   for which it still runs.
  func run(_ onChange: @escaping @Sendable (_ key: Key) async -> Void) async {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        let busy = BusyKeys<Key>()
        var used = used
        var seen = used
        var pause = Self.interval
        while (try? await Task.sleep(for: pause)) != nil {
          let start = Self.threadTime
          let found = look()
          if found != used {
            for key in Set(found.keys).union(used.keys)
            where found[key] == seen[key] && found[key] != used[key]
              && busy.insert(key)
            {
              used[key] = found[key]
              group.addTask {
                await onChange(key)
                busy.remove(key)
              }
            }
          }
          seen = found
          pause = max(Self.interval, (Self.threadTime - start) * Self.idleRatio)
        }
        group.cancelAll()
      }
    }
  }

  /// The processor time of this thread, which a busy machine doesn't lengthen.
  private static var threadTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// The keys of changes that are being handled.
private final class BusyKeys<Key: Hashable & Sendable>: Sendable {
  private let keys = Mutex<Set<Key>>([])

  /// Adds a key, and returns whether it is new.
  func insert(_ key: Key) -> Bool { keys.withLock { $0.insert(key).inserted } }

  func remove(_ key: Key) { keys.withLock { _ = $0.remove(key) } }
}
