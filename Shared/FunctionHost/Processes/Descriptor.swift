import CProcess
import Core

/// An open file descriptor, which is closed when the last reference to this object is released.
///
/// Every read, write or wait keeps a reference, so that the system doesn't reuse the number in the
/// meantime.
final class Descriptor: Sendable {
  let number: Int32

  private init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Creates a pipe that children don't inherit.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when this process has too many open files.
  static func pipe() throws(StatusError) -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    let error = cprocess_make_pipe(&ends)
    guard error == 0 else {
      throw StatusError(.resourceExhausted, "can't create a pipe: \(systemMessage(error))")
    }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  /// Makes reads and writes of this end of a pipe fail with EAGAIN instead of blocking.
  ///
  /// The child's end is unchanged.
  func setNonBlocking() {
    // A pipe has no other status flags to keep.
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
  }
}

/// Returns the message of an errno value.
func systemMessage(_ error: Int32) -> String {
  String(cString: strerror(error))
}
