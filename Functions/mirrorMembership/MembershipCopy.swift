import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// The copy of a conversation's participants in the Realtime Database.
struct MembershipCopy {
  private let conversation: DocumentName
  private let session: ChatSession
  private let database: RealtimeDatabaseClient

  struct Report: Encodable {
    /// The number of members in the copy.
    var members: Int
    /// The number of participants whose ids can't be keys of the Realtime Database.
    var leftOut: Int
  }

  init(
    of conversation: DocumentName,
    _ session: ChatSession,
    _ database: RealtimeDatabaseClient
  ) {
    self.conversation = conversation
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
    guard RealtimeDatabaseClient.isKey(conversation.id) else {
      return .skipped(
        reason: "the conversation's id can't be a key of the Realtime Database"
      )
    }
    var participants = try await participants()
    while session.waitDeadline > .now {
      let members = participants.filter { RealtimeDatabaseClient.isKey($0.string) }
      try await database.update(values(members, before))
      let current = try await self.participants()
      if current == participants {
        return .done(Report(members: members.count, leftOut: participants.count - members.count))
      }
      participants = current
    }
    throw StatusError(.aborted, "the participants kept changing: a retry copies them")
  }

  /// Reads the participants. A conversation that doesn't exist, or that lists nobody, has none.
  private func participants() async throws(StatusError) -> Set<ByteKey> {
    guard let document = try await session.firestore.document(conversation) else { return [] }
    return Set((try? Conversation(document))?.participants.map { ByteKey($0) } ?? [])
  }

  private func values(_ members: Set<ByteKey>, _ before: [String]) -> [(String, JSONValue)] {
    let id = conversation.id
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
