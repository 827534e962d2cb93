import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// The count of an opened push.
///
/// The document `functionEvents/trackOpen_{key}` records it. The key is a hash of the message's path
/// and the reader's id; the document has neither of them.
struct OpenedPush {
  /// The time after which a push may be counted again.
  private static let lifetime = Duration.seconds(7 * 86_400)

  let session: ChatSession

  struct Answer: Encodable {
    /// A Boolean value that indicates whether this call is the first for the message by this reader.
    var counted: Bool
  }

  /// Counts the push, unless the reader's client has done so before.
  ///
  /// The count is exact or too low: it misses a push if the process is killed between the commit and
  /// the result.
  func count(_ call: OpenCall, by caller: Caller) async throws -> FunctionOutcome {
    let found = try await session.conversation(call.conversationId, messages: [call.messageId])
    let (message, _) = try found.message(call.messageId, for: caller)
    guard message.senderID?.hasSameBytes(as: caller.uid) != true else {
      return .skipped(
        reason: "the caller wrote the message, and got no push",
        result: Answer(counted: false)
      )
    }
    let record = try record(of: message, by: caller)
    let commit: CommitResponse
    do throws(StatusError) {
      commit = try await session.firestore.commit([
        Write(.update(record), currentDocument: .exists(false))
      ])
    } catch {
      guard error.isConflict, try await session.firestore.document(record.name) != nil else {
        throw error
      }
      return .done(Answer(counted: false))
    }
    session.record(.open, of: message, at: commit.commitTime)
    session.context.record.record { $0.open(pushes: 1) }
    return .done(Answer(counted: true))
  }

  private func record(of message: Message, by caller: Caller) throws(StatusError) -> Document {
    let key = ContentHash.document("\(message.document.name.path)/\(caller.uid)")
    let fields: Fields = [
      "function": "trackOpen",
      "expiresAt": .timestamp(session.context.sources.now().advanced(by: Self.lifetime)),
    ]
    return Document(
      name: try session.firestore.name("functionEvents/trackOpen_\(key)"),
      fields: fields
    )
  }
}
