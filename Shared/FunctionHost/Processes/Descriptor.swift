import CProcess
import Core

/// An open file descriptor, closed when the last reference goes.
///
/// Whoever reads, writes or waits holds a reference, so the number is never another file's.
final class Descriptor: Sendable {
  let number: Int32

  private init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// A pipe that no child inherits by accident.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when this process has too many open files.
  static func pipe() throws(StatusError) -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    let error = cprocess_make_pipe(&ends)
    guard error == 0 else {
      throw StatusError(.resourceExhausted, "no pipe: \(systemMessage(error))")
    }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  /// Makes reads and writes of this end return EAGAIN instead of waiting; the other end, which
  /// the child has, is not touched.
  func setNonBlocking() {
    // A pipe has no other status flags to keep.
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
  }
}

/// What an errno value says.
func systemMessage(_ error: Int32) -> String {
  String(cString: strerror(error))
}
