// The platform's C library and Foundation, imported only here.
//
// On Linux only FoundationEssentials is linked. It adds 1.5 ms to a cold start; all of Foundation
// would add 7.6 ms. macOS has no separate FoundationEssentials module.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#endif

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

/// Writes all bytes to a file descriptor, resuming after partial writes and interrupts. It waits
/// for space even if the descriptor is non-blocking.
///
/// - Returns: `false` if writing failed, such as for a closed pipe or a full disk; `errno` says
///   why.
@discardableResult
package func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
  let buffer = ContiguousArray(bytes)
  return buffer.withUnsafeBytes { raw in
    var offset = 0
    while offset < raw.count {
      let written = write(descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset)
      if written > 0 {
        offset += written
      } else if written < 0 && errno == EINTR {
        continue
      } else if written < 0 && errno == EAGAIN {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, -1)
      } else {
        return false
      }
    }
    return true
  }
}

/// Locks a file for this process, until its descriptor is closed or the process ends.
///
/// - Returns: `false` if another process has locked it.
package func lockFile(_ descriptor: Int32) -> Bool {
  flock(descriptor, LOCK_EX | LOCK_NB) == 0
}

/// Flushes a file or folder to the disk, so that it survives a power failure.
///
/// - Returns: `false` on failure; `errno` says why.
package func syncFile(_ descriptor: Int32) -> Bool {
  #if canImport(Darwin)
    // On macOS fsync leaves data in the disk's cache, and F_FULLFSYNC doesn't. Not every disk
    // supports F_FULLFSYNC.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
  #endif
  return fsync(descriptor) == 0
}

/// Flushes a folder, so that created, deleted and renamed files survive a power failure.
///
/// - Returns: `false` on failure; `errno` says why.
package func syncFolder(_ path: String) -> Bool {
  let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard folder >= 0 else { return false }
  let isSynced = syncFile(folder)
  let reason = errno
  close(folder)
  errno = reason
  // Some file systems don't support syncing a folder and return EINVAL.
  return isSynced || reason == EINVAL
}

/// Returns the message of the current `errno`.
package func lastSystemError() -> String {
  String(cString: strerror(errno))
}
