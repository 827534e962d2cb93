import Core
import FirestoreClient
import FirestoreModel
import Synchronization

/// The document `config/functions`, as a process knows it: what is written there holds within half
/// a minute.
final class ControlsReader: Sendable {
  /// How long a copy counts.
  static let lifetime = Duration.seconds(20)

  private struct Copy {
    var document: Document?
    var readAt: ContinuousClock.Instant
  }

  private let copy = Mutex<Copy?>(nil)
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// - Parameter isFresh: whether no copy counts.
  /// - Throws: a configuration error if what it says of the function can't be meant; else what
  ///   Firestore says. A copy that is too old is not believed: a switch is there to be obeyed.
  func controls(
    of function: String,
    _ firestore: FirestoreClient,
    isFresh: Bool
  ) async throws(StatusError) -> FunctionControls {
    try FunctionControls(of: function, in: await document(firestore, isFresh: isFresh))
  }

  private func document(
    _ firestore: FirestoreClient,
    isFresh: Bool
  ) async throws(StatusError) -> Document? {
    // Seen from before the request: what it reads may be as old as that.
    let now = now()
    if !isFresh, let copy = copy.withLock(\.self), now - copy.readAt < Self.lifetime {
      return copy.document
    }
    let document = try await firestore.document(firestore.name(FunctionControls.path))
    copy.withLock { $0 = Copy(document: document, readAt: now) }
    return document
  }
}
