// The one place that knows which C library and which Foundation this platform has.
//
// Linux functions link FoundationEssentials only: it costs a cold start 1.5 ms where all of
// Foundation costs 7.6. macOS has no separate FoundationEssentials module.

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

/// Writes all bytes to a file descriptor, resuming after partial writes and interrupts. Waits for
/// room also where others have made the descriptor non-blocking.
///
/// - Returns: false when the reader is gone or the disk is full; `errno` says which.
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

/// Takes a file for this process alone, until its descriptor is closed or the process ends.
///
/// - Returns: false if another process has it.
package func lockFile(_ descriptor: Int32) -> Bool {
  flock(descriptor, LOCK_EX | LOCK_NB) == 0
}

/// Brings what was written to a file or a folder to the disk, so that it survives a power cut.
///
/// - Returns: false if that failed; `errno` says why.
package func syncFile(_ descriptor: Int32) -> Bool {
  #if canImport(Darwin)
    // There a plain sync leaves data in the disk's own memory, but not every disk knows this one.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
  #endif
  return fsync(descriptor) == 0
}

/// Makes what came, went or was renamed in a folder survive a power cut.
///
/// - Returns: false if that failed; `errno` says why.
package func syncFolder(_ path: String) -> Bool {
  let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard folder >= 0 else { return false }
  let isSynced = syncFile(folder)
  let reason = errno
  close(folder)
  errno = reason
  // Some file systems have nothing to sync in a folder, and say so.
  return isSynced || reason == EINVAL
}

/// What `errno` says now, for error messages.
package func lastSystemError() -> String {
  String(cString: strerror(errno))
}
