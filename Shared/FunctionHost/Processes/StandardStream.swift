import CProcess
import Core

/// A standard stream of a child that is being started: the child's end of the pipe and this
/// process's end.
struct StandardStream {
  /// This process's end of the pipe, or `nil` if the stream isn't a pipe.
  let ours: Descriptor?
  private let theirs: Descriptor?
  /// The stream as an argument of `cprocess_spawn`; valid as long as this value lives.
  let number: Int32

  /// Creates the stream, and a pipe if the stream needs one.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when this process has too many open files.
  init(_ stream: ChildProcess.Stream, childReads: Bool) throws(StatusError) {
    switch stream {
    case .pipe:
      let pipe = try Descriptor.pipe()
      let theirs = childReads ? pipe.reading : pipe.writing
      ours = childReads ? pipe.writing : pipe.reading
      self.theirs = theirs
      number = theirs.number
    case .inherit:
      (ours, theirs, number) = (nil, nil, CPROCESS_INHERIT)
    case .null:
      (ours, theirs, number) = (nil, nil, CPROCESS_NULL)
    }
  }
}
