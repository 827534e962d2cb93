/// The limit of this process's open files, of which each connection is one and each child three.
package enum FileLimit {
  /// More would help nobody: macOS refuses to be asked for more than it has.
  private static let most: rlim_t = 65_536

  /// With fewer a server doesn't come to accept anything.
  private static let least = 48

  /// The reason why a server can't run with so few descriptors; nil if it can.
  package static var shortage: String? {
    current >= least
      ? nil : "\(current) open files are too few: allow \(least) or more, with ulimit -n"
  }

  /// The number of descriptors that there may be now.
  package static var current: Int {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 0
  }

  /// Takes as many as this process may have: 1,024, which is usual, are soon reached.
  ///
  /// Children inherit it.
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
