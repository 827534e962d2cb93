import CProcess
import Core

/// One standard stream of a child being started: its end and ours.
struct StandardStream {
  /// Our end, if it is a pipe.
  let ours: Descriptor?
  private let theirs: Descriptor?
  /// What `cprocess_spawn` takes; valid as long as this value lives.
  let number: Int32

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
