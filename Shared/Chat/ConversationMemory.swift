package import Core
package import FirestoreClient
package import FirestoreModel
import FunctionRuntime
import Synchronization

/// A cache of the conversations and profiles that this process read last.
///
/// The cache predicts the documents that a conversation's next message needs, so that one read
/// fetches all of them. No decision depends on a prediction: decisions use what is read, and a
/// wrong prediction costs a second read. A process that handles a single event remembers nothing.
package final class ConversationMemory: Sendable {
  /// A conversation and its profiles at the time of the read.
  fileprivate struct Entry: Sendable {
    /// The conversation, or `nil` in the older layout, which has no conversation documents.
    var conversation: Conversation?
    var profiles: [String: UserProfile]
  }

  private static let maximumConversations = 500
  /// The number of participants above which a conversation isn't remembered.
  ///
  /// A larger conversation would use the memory of many smaller ones.
  private static let maximumParticipants = 100

  private let entries = Mutex<[DocumentName: Entry]>([:])

  package init() {}

  fileprivate func remember(_ entry: Entry, as name: DocumentName) {
    entries.withLock { entries in
      if entries[name] == nil, entries.count >= Self.maximumConversations {
        entries.remove(at: entries.startIndex)
      }
      entries[name] = entry
    }
  }

  fileprivate static func hasRoom(for conversation: Conversation) -> Bool {
    conversation.participants.count <= maximumParticipants
  }

  fileprivate func entry(of name: DocumentName) -> Entry? { entries.withLock { $0[name] } }
}

/// A message from an event, with its conversation and profiles as this process last read them.
package struct ExpectedMessage: Sendable {
  package var message: Message
  package var conversation: Conversation
  package var profiles: [String: UserProfile]
}

extension ChatSession {
  /// Remembers the conversation and profiles for the conversation's next message.
  package func remember(
    _ conversation: Conversation,
    _ profiles: [String: UserProfile],
    as name: DocumentName
  ) {
    guard ConversationMemory.hasRoom(for: conversation) else { return }
    let isStored = conversation.document != nil
    memory.remember(
      ConversationMemory.Entry(
        conversation: isStored ? conversation : nil,
        profiles: profiles
      ),
      as: name
    )
  }

  /// Returns the documents that will probably be read for a message, or `nil` if this process
  /// doesn't remember its conversation.
  ///
  /// - Parameters:
  ///   - copy: the event's copy of the message, or `nil` if the event has none.
  ///   - former: the message before the event's change.
  package func expected(_ copy: Document?, since former: Document? = nil) -> ExpectedMessage? {
    guard !context.isFresh, let copy, let name = try? conversationName(of: copy.name.path),
      let entry = memory.entry(of: name)
    else { return nil }
    let message = Message(copy).distrusting(copy, since: former)
    return ExpectedMessage(
      message: message,
      conversation: entry.conversation ?? Conversation(of: message),
      profiles: entry.profiles
    )
  }

  /// Returns a Boolean value that indicates whether a snapshot has exactly the expected documents.
  ///
  /// If it has, results that were computed from the expected message are valid.
  package func confirms(
    _ expected: ExpectedMessage,
    by snapshot: Snapshot
  ) throws(StatusError) -> Bool {
    let (message, conversation) = (expected.message.document, expected.conversation)
    guard snapshot[message.name] == message,
      snapshot[try conversationName(of: message.name.path)] == conversation.document
    else { return false }
    return try userNames(conversation.users(of: expected.message)).allSatisfy {
      snapshot.covers($0) && snapshot[$0] == expected.profiles[$0.id]?.document
    }
  }
}
