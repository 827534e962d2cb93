import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// The copy of a conversation's participants in the Realtime Database.
///
/// If several layouts have a conversation with the same id, the copy is of the first, which is also
/// the one that clients' calls are about.
struct MembershipCopy {
  private let id: String
  private let session: ChatSession
  private let database: RealtimeDatabaseClient

  struct Report: Encodable {
    /// The number of members in the copy.
    var members: Int
    /// The number of entries in the list of participants that aren't copied, because they aren't user
    /// ids or can't be keys of the Realtime Database.
    var leftOut: Int
  }

  init(
    of conversationID: String,
    _ session: ChatSession,
    _ database: RealtimeDatabaseClient
  ) {
    id = conversationID
    self.session = session
    self.database = database
  }

  /// Writes the current participants, until they are the same before and after the write.
  ///
  /// Another invocation may write at the same time, in any order. The one that writes last reads
  /// afterwards what is true then, so the copy is right in the end.
  ///
  /// - Parameter before: the participants before the change. The typing indicators of those who are
  ///   gone are deleted.
  func write(after before: [String]) async throws(StatusError) -> FunctionOutcome {
    guard RealtimeDatabaseClient.isKey(id) else {
      return .skipped(
        reason: "the conversation's id can't be a key of the Realtime Database",
        result: Report(members: 0, leftOut: 0)
      )
    }
    var listed = try await participants()
    while session.waitDeadline > .now {
      try await database.update(values(listed.members, before))
      let current = try await participants()
      if current == listed {
        return .done(Report(members: listed.members.count, leftOut: listed.leftOut))
      }
      listed = current
    }
    throw StatusError(.aborted, "the participants kept changing: a retry copies them")
  }

  /// The participants of a conversation.
  private struct Participants: Equatable {
    /// The ids that are copied.
    var members: Set<ByteKey> = []
    var leftOut = 0
  }

  /// Reads the participants. A conversation that doesn't exist, or that lists nobody, has none.
  private func participants() async throws(StatusError) -> Participants {
    let found = try await session.conversation(id, messages: [])
    guard let document = found.document, let conversation = try? Conversation(document) else {
      return Participants()
    }
    let keys = conversation.participants.filter(RealtimeDatabaseClient.isKey)
    return Participants(
      members: Set(keys.map { ByteKey($0) }),
      leftOut: conversation.participants.count - keys.count + conversation.strangeParticipants
    )
  }

  /// Returns the values to write: the copy, and null for the typing of former participants.
  private func values(_ members: Set<ByteKey>, _ before: [String]) -> [(String, JSONValue)] {
    guard !members.isEmpty else {
      return [("members/\(id)", .null), ("typingIndicators/\(id)", .null)]
    }
    let copy = JSONObject(uniqueKeysWithValues: members.map { ($0, .boolean(true)) })
    let former = before.filter {
      !members.contains(ByteKey($0)) && RealtimeDatabaseClient.isKey($0)
    }
    return [("members/\(id)", .object(copy))]
      + former.map { ("typingIndicators/\(id)/\($0)", .null) }
  }
}
