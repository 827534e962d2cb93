import Core
import FirestoreModel
import Synchronization

/// An upload whose content arrives in several requests.
///
/// A request takes over the upload from the one before, which may still wait for a client that has
/// disconnected. So two requests never write at the same time.
final class ResumableUpload: Sendable {
  /// A request's right to write. It ends when another request begins.
  struct Turn: Sendable {
    fileprivate let number: Int
    /// The number of bytes that have arrived before.
    let size: Int64
  }

  private enum Content {
    case open(ContentWriter)
    /// A file that an earlier process has begun.
    case file(String)
  }

  private struct State {
    var content: Content
    var turn = 0
    /// A Boolean value that indicates whether the content has ended: an object may have it.
    var isEnded = false
    var result: ObjectMetadata?
    var isCancelled = false
  }

  let id: String
  let upload: ObjectUpload
  let timeCreated: Timestamp
  private let folder: ObjectFolder
  private let state: Mutex<State>

  /// Begins an upload with an empty file.
  init(
    _ upload: ObjectUpload,
    id: String,
    at time: Timestamp,
    in folder: ObjectFolder
  ) throws(StorageError) {
    self.id = id
    self.upload = upload
    self.folder = folder
    timeCreated = time
    state = Mutex(State(content: .open(try ContentWriter(in: folder))))
  }

  /// Continues an upload that an earlier process has begun.
  ///
  /// - Parameter result: The object, if the upload was complete.
  init(
    _ upload: ObjectUpload,
    id: String,
    at time: Timestamp,
    file: String,
    result: ObjectMetadata?,
    in folder: ObjectFolder
  ) {
    self.id = id
    self.upload = upload
    self.folder = folder
    timeCreated = time
    state = Mutex(State(content: .file(file), result: result))
  }

  /// The name of the file with the content.
  var file: String {
    state.withLock { state in
      switch state.content {
      case .open(let writer): writer.name
      case .file(let name): name
      }
    }
  }

  /// The object that the upload became, or `nil` if it isn't complete.
  var result: ObjectMetadata? { state.withLock(\.result) }

  /// Begins a request, which ends the turn of the one before.
  ///
  /// - Throws: An error with the status 404 if the upload was cancelled.
  func begin() throws(StorageError) -> Turn {
    try withWriter { state, writer throws(StorageError) in
      state.turn += 1
      return Turn(number: state.turn, size: writer.size)
    }
  }

  /// Appends bytes.
  func append(_ bytes: Data, _ turn: Turn) throws(StorageError) {
    try withWriter { state, writer throws(StorageError) in
      try Self.check(turn, state)
      guard !state.isEnded else { throw .conflict("the upload's content has ended") }
      try writer.append(bytes)
    }
  }

  /// Ends a request whose bytes aren't the last ones, and syncs them.
  ///
  /// - Returns: The number of bytes that have arrived.
  func pause(_ turn: Turn) throws(StorageError) -> Int64 {
    try withWriter { state, writer throws(StorageError) in
      try Self.check(turn, state)
      try writer.synchronize()
      return writer.size
    }
  }

  /// Ends the content.
  func finish(_ turn: Turn) throws(StorageError) -> ObjectContent {
    try withWriter { state, writer throws(StorageError) in
      try Self.check(turn, state)
      state.isEnded = true
      return try writer.finish()
    }
  }

  /// Records what the upload became.
  func complete(_ result: ObjectMetadata) { state.withLock { $0.result = result } }

  /// Ends the upload, and removes its file.
  func cancel() {
    let file = file
    let isComplete = state.withLock { state in
      state.isCancelled = true
      return state.result != nil
    }
    if !isComplete { folder.remove(file) }
  }

  private static func check(_ turn: Turn, _ state: State) throws(StorageError) {
    guard turn.number == state.turn else {
      throw .conflict("another request has taken over the upload")
    }
  }

  private func withWriter<Success: Sendable>(
    _ body: (inout State, inout ContentWriter) throws(StorageError) -> Success
  ) throws(StorageError) -> Success {
    try state.withLock { state throws(StorageError) in
      guard !state.isCancelled else { throw .noUpload() }
      var writer: ContentWriter
      switch state.content {
      case .open(let open): writer = open
      case .file(let name): writer = try ContentWriter(continuing: name, in: folder)
      }
      defer { state.content = .open(writer) }
      return try body(&state, &writer)
    }
  }
}
