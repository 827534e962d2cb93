/// The limit of open files of this process. A connection takes one, a child process three.
package enum FileLimit {
  /// The upper bound of `raise`: macOS rejects higher values than it supports.
  private static let most: rlim_t = 65_536

  /// The minimum with which a server can accept connections.
  private static let least = 48

  /// The reason why the limit is too low for a server, or `nil` if it isn't.
  package static var shortage: String? {
    current >= least
      ? nil : "\(current) open files are too few: allow \(least) or more, with ulimit -n"
  }

  /// The current limit.
  package static var current: Int {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 0
  }

  /// Raises the limit as far as allowed, since the usual 1,024 are soon reached.
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
