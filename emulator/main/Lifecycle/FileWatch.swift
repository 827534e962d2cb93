import Core
import FunctionHost
import ServiceLifecycle

/// A watch over files, until graceful shutdown.
///
/// The files are looked at ten times a second, which works for files that editors replace, for
/// linked files, and on every file system.
struct FileWatch {
  private static let interval = Duration.milliseconds(100)

  let paths: [RulesFileLocation]
  /// The files as they are in use.
  let identities: [FileIdentity?]

  /// Calls a closure with the index of each file that has changed, and was the same in the last two
  /// looks: one that changes may still be being written.
  func run(_ onChange: @escaping @Sendable (_ index: Int) -> Void) async {
    await cancelWhenGracefulShutdown {
      var used = identities
      var seen = identities
      while (try? await Task.sleep(for: Self.interval)) != nil {
        for (index, path) in paths.enumerated() {
          let found = path.identity
          if found == seen[index], found != used[index] {
            used[index] = found
            onChange(index)
          }
          seen[index] = found
        }
      }
    }
  }
}
