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

  /// The end of an upload.
  enum Outcome: Sendable {
    case object(ObjectMetadata)
    /// The error of the last request, which further requests get, too.
    case failure(StorageError)
    case cancelled
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
    var outcome: Outcome?
  }

  let id: String
  let upload: ObjectUpload
  let timeCreated: Timestamp
  /// The name of the file with the content.
  let file: String
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
    var writer = try ContentWriter(in: folder)
    try writer.pause()
    file = writer.name
    state = Mutex(State(content: .open(writer)))
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
    self.file = file
    timeCreated = time
    state = Mutex(State(content: .file(file), outcome: result.map { .object($0) }))
  }

  /// The end of the upload, or `nil` while it is open.
  var outcome: Outcome? { state.withLock(\.outcome) }

  /// The object that the upload became, or `nil` if it isn't complete.
  var result: ObjectMetadata? { if case .object(let object)? = outcome { object } else { nil } }

  /// Ends the upload.
  func end(_ outcome: Outcome) { state.withLock { $0.outcome = outcome } }

  /// Begins a request, which ends the turn of the one before.
  ///
  /// - Throws: The error of an upload that has failed, or one with the status 404 if the upload was
  ///   cancelled.
  func begin() throws(StorageError) -> Turn {
    try withWriter { state, writer throws(StorageError) in
      state.turn += 1
      return Turn(number: state.turn, size: writer.size)
    }
  }

  /// Appends bytes.
  func append(_ bytes: Data, _ turn: Turn) throws(StorageError) {
    try withWriter(turn) { state, writer throws(StorageError) in
      guard !state.isEnded else { throw .conflict("the upload's content has ended") }
      try writer.append(bytes)
    }
  }

  /// Ends a request whose bytes aren't the last ones, and syncs them.
  ///
  /// - Returns: The number of bytes that have arrived.
  func pause(_ turn: Turn) throws(StorageError) -> Int64 {
    try withWriter(turn) { state, writer throws(StorageError) in
      try writer.pause()
      return writer.size
    }
  }

  /// Ends the content.
  func finish(_ turn: Turn) throws(StorageError) -> ObjectContent {
    try withWriter(turn) { state, writer throws(StorageError) in
      state.isEnded = true
      return try writer.finish()
    }
  }

  /// Calls a closure with the writer.
  ///
  /// - Parameter turn: The request's turn, which must not have ended, or `nil` for a new request.
  private func withWriter<Success: Sendable>(
    _ turn: Turn? = nil,
    _ body: (inout State, inout ContentWriter) throws(StorageError) -> Success
  ) throws(StorageError) -> Success {
    try state.withLock { state throws(StorageError) in
      switch state.outcome {
      case nil: break
      case .failure(let error): throw error
      case .cancelled: throw .noUpload()
      case .object: throw .conflict("the upload is complete")
      }
      guard turn.map({ $0.number == state.turn }) ?? true else {
        throw .conflict("another request has taken over the upload")
      }
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
