package import Core

/// The identity and state of the file at a path. It changes when the file is replaced or written.
package struct FileIdentity: Sendable, Hashable {
  private var device: Int64
  private var number: UInt64
  private var size: Int64
  private var modified: Int64
  private var nanoseconds: Int64

  /// Creates the identity of the file at a path, or returns `nil` if there is none.
  package init?(_ path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    self.init(information)
  }

  /// Creates the identity of the file that stat(2) has described.
  package init(_ information: stat) {
    #if canImport(Darwin)
      let time = information.st_mtimespec
    #else
      let time = information.st_mtim
    #endif
    device = Int64(information.st_dev)
    number = UInt64(information.st_ino)
    size = Int64(information.st_size)
    modified = Int64(time.tv_sec)
    nanoseconds = Int64(time.tv_nsec)
  }
}
