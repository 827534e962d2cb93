import ServiceLifecycle

/// A watch over files, until graceful shutdown.
///
/// The files are looked at ten times a second, which works for files that editors replace, for
/// linked files, and on every file system.
struct FileWatch<Key: Hashable & Sendable, File: Equatable & Sendable>: Sendable {
  private static var interval: Duration { .milliseconds(100) }

  /// The files as they are in use.
  let used: [Key: File]
  /// Returns the files as they are now. A file that doesn't exist is left out.
  let look: @Sendable () -> [Key: File]

  /// Calls a closure with the key of each file that has changed, and was the same in the last two
  /// looks: one that changes may still be being written.
  func run(_ onChange: @escaping @Sendable (_ key: Key) async -> Void) async {
    await cancelWhenGracefulShutdown {
      var used = used
      var seen = used
      while (try? await Task.sleep(for: Self.interval)) != nil {
        let found = look()
        defer { seen = found }
        guard found != used else { continue }
        for key in Set(found.keys).union(used.keys)
        where found[key] == seen[key] && found[key] != used[key] {
          used[key] = found[key]
          await onChange(key)
        }
      }
    }
  }
}
