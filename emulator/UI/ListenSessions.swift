import Core
import FirestoreAPI
import Synchronization

/// The Listen streams of a page: one for each of its users, and one as an administrator.
final class ListenSessions: Sendable {
  struct Session: Sendable {
    /// The page's number of the session.
    var number: Int
    var listening: ListenSession
  }

  /// The maximum number of a page's sessions, which limits the memory that they take.
  private static let maximumCount = 256

  /// The sessions, in the order in which they are opened.
  let opened: AsyncStream<Session>
  private let continuation: AsyncStream<Session>.Continuation
  private let firestore: FirestoreService
  private let sessions = Mutex<[Int: ListenSession]>([:])

  init(_ firestore: FirestoreService) {
    self.firestore = firestore
    (opened, continuation) = AsyncStream.makeStream()
  }

  /// Returns the session with a number. The first request with the number opens it.
  ///
  /// - Parameter context: The context of the request. Its caller is the session's.
  /// - Throws: `RESOURCE_EXHAUSTED` if the maximum number of sessions is open.
  func session(_ number: Int, _ context: RequestContext) throws(StatusError) -> ListenSession {
    try sessions.withLock { sessions throws(StatusError) in
      if let session = sessions[number] { return session }
      guard sessions.count < Self.maximumCount else {
        throw StatusError(
          .resourceExhausted,
          "the stream already has \(Self.maximumCount) sessions"
        )
      }
      let session = ListenSession(firestore, context)
      sessions[number] = session
      continuation.yield(Session(number: number, listening: session))
      return session
    }
  }

  /// Ends all listeners.
  func close() {
    continuation.finish()
    for session in sessions.withLock(\.values) { session.close() }
  }
}
