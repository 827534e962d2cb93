/// The maximum number of files that this process may have open. A connection counts as one file, a
/// child process as three.
package enum FileLimit {
  /// The highest limit that `raise` sets, because macOS rejects values above its own maximum.
  private static let most: rlim_t = 65_536

  /// The lowest limit with which a server can accept connections.
  private static let least = 48

  /// A message that says that the limit is too low for a server, or `nil` if it is high enough.
  package static var shortage: String? {
    current >= least
      ? nil
      : "the limit of \(current) open files is too low: raise it to \(least) or more with ulimit -n"
  }

  /// The current limit.
  package static var current: Int {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 0
  }

  /// Raises the limit as far as the system allows, because a server soon reaches the usual 1,024.
  ///
  /// Children inherit the new limit.
  package static func raise() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, most))
    setrlimit(resource, &limit)
  }

  #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE
  #else
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
  #endif
}
