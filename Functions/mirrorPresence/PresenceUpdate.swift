import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// The update of a profile after a change of its user's presence.
///
/// Events may arrive late, twice, and in any order, so an event only shows that the presence has
/// changed. What counts is the present value of the user's node.
struct PresenceUpdate {
  let session: ChatSession
  let database: RealtimeDatabaseClient
  let uid: String

  /// The fields written, for the result.
  struct Report: Encodable {
    var online: Bool
    var lastSeen: Timestamp?
  }

  /// Writes the presence of a user whose profile was created while the user was online.
  func writeIfOnline(created: Timestamp) async throws -> FunctionOutcome {
    if RealtimeDatabaseClient.isKey(uid) {
      let status = try await status()
      if Presence(status.value).isOnline { return try await write(status, changed: created) }
    }
    return .skipped(reason: "the user is not online")
  }

  /// Writes the presence after a change of the node.
  func write(changed: Timestamp) async throws -> FunctionOutcome {
    try await write(status(), changed: changed)
  }

  private func status() async throws(StatusError) -> RealtimeDatabaseClient.Tagged {
    try await database.value(at: "status/\(uid)")
  }

  /// Writes the presence, until it is the same before and after the write.
  ///
  /// Another invocation may write at the same time. The one that writes last reads afterwards what is
  /// true then, so the profile is right in the end.
  ///
  /// - Parameters:
  ///   - first: the present value of the node.
  ///   - changed: the time of the change.
  private func write(
    _ first: RealtimeDatabaseClient.Tagged,
    changed: Timestamp
  ) async throws -> FunctionOutcome {
    guard let user = try? session.userName(uid) else {
      return .skipped(reason: "the user's id can't be a document's id")
    }
    var status = first
    var isWritten = false
    while session.waitDeadline > .now {
      let presence = Presence(status.value)
      guard let (fields, isNew) = try await write(presence, to: user, changed: changed) else {
        return try await forget(status)
      }
      isWritten = isWritten || isNew
      let current = try await self.status()
      guard Presence(current.value) == presence else {
        status = current
        continue
      }
      guard isWritten else {
        return .skipped(reason: "the profile shows the user's presence already")
      }
      return .done(
        Report(online: presence.isOnline, lastSeen: fields["lastSeen"]?.timestampValue)
      )
    }
    throw StatusError(.aborted, "the user's presence kept changing: a retry copies it")
  }

  /// The maximum number of times that the write of another client is in the way.
  private static let maximumConflicts = 50

  /// Makes the profile show the presence.
  ///
  /// - Returns: the fields, and whether they were written, or `nil` if there is no profile.
  private func write(
    _ presence: Presence,
    to user: DocumentName,
    changed: Timestamp
  ) async throws(StatusError) -> (Fields, Bool)? {
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      guard let profile = try await session.firestore.document(user) else { return nil }
      let now = session.context.sources.now()
      guard let fields = presence.fields(for: profile, changed: changed, at: now) else {
        return (profile.fields, false)
      }
      do throws(StatusError) {
        try await session.firestore.commit([
          Write(
            .update(Document(name: user, fields: fields)),
            // A field in the mask that isn't in the document is deleted.
            updateMask: FieldMask(Presence.fieldNames.map { FieldPath($0) }),
            currentDocument: profile.updateTime.map(Precondition.updateTime)
          )
        ])
        return (fields, true)
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    throw StatusError(.aborted, "the profile kept changing: the user's presence is not updated")
  }

  /// Deletes the node of a user without a profile, unless the user is online.
  ///
  /// When a forgotten user's last connection ends, the node is written once more.
  private func forget(
    _ status: RealtimeDatabaseClient.Tagged
  ) async throws(StatusError) -> FunctionOutcome {
    if status.value != .null, !Presence(status.value).isOnline {
      try await database.remove("status/\(uid)", if: status)
    }
    return .skipped(reason: "the user has no profile")
  }
}
