import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// The update of a profile after a change of its user's presence.
///
/// Events may arrive late, twice, and in any order. The time of the change decides: the latest
/// change stays, and `lastSeen` never moves back.
struct PresenceUpdate {
  let session: ChatSession
  /// The client of the Realtime Database, or `nil` if there is none.
  let database: RealtimeDatabaseClient?

  struct Report: Encodable {
    var online: Bool
    var lastSeen: Timestamp
  }

  /// The maximum number of times that the write of another client is in the way.
  private static let maximumConflicts = 50

  /// The fields that a profile has from here. A field in a mask that a document lacks is deleted.
  private static let mask = FieldMask(["online", "lastSeen", "open"].map { FieldPath($0) })

  func write(_ presence: Presence, of uid: String) async throws -> FunctionOutcome {
    let user = try session.userName(uid)
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      guard let profile = try await session.firestore.document(user) else {
        return try await forget(presence, of: uid)
      }
      guard presence.follows(profile, at: session.context.sources.now()) else {
        return .skipped(reason: "the profile shows a later change of the user's presence")
      }
      do throws(StatusError) {
        try await session.firestore.commit([
          Write(
            .update(Document(name: user, fields: presence.fields)),
            updateMask: Self.mask,
            currentDocument: profile.updateTime.map(Precondition.updateTime)
          )
        ])
        return .done(Report(online: presence.isOnline, lastSeen: presence.time))
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    throw StatusError(.aborted, "the profile kept changing: the user's presence is not updated")
  }

  /// Deletes the node of a user without a profile, once the user's app is gone.
  ///
  /// When a forgotten user's last connection ends, the node is written once more.
  private func forget(
    _ presence: Presence,
    of uid: String
  ) async throws(StatusError) -> FunctionOutcome {
    if presence.exists, !presence.isOnline, let database {
      try await database.update([("status/\(uid)", .null)])
    }
    return .skipped(reason: "the user has no profile")
  }
}
