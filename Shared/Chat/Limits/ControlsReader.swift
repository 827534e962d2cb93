import Core
import FirestoreClient
import FirestoreModel
import Synchronization

/// A reader of the document `config/functions` with a short-lived cache.
///
/// A change in the document takes effect within half a minute.
final class ControlsReader: Sendable {
  /// The time for which the cached copy is valid.
  static let lifetime = Duration.seconds(20)

  private struct Copy {
    var document: Document?
    var readAt: ContinuousClock.Instant
  }

  private let copy = Mutex<Copy?>(nil)
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// Returns the controls of a function.
  ///
  /// - Parameter isFresh: whether to ignore the cached copy.
  /// - Throws: a configuration error if the function's entry is invalid, or Firestore's error. If
  ///   Firestore fails, an expired copy isn't used, since a pause must take effect.
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
    // The copy's age counts from the start of the request, since Firestore may read the document
    // then.
    let now = now()
    if !isFresh, let copy = copy.withLock(\.self), now - copy.readAt < Self.lifetime {
      return copy.document
    }
    let document = try await firestore.document(firestore.name(FunctionControls.path))
    copy.withLock { $0 = Copy(document: document, readAt: now) }
    return document
  }
}
