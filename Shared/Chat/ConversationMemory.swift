package import Core
package import FirestoreClient
package import FirestoreModel
import FunctionRuntime
import Synchronization

/// What this process read last of some conversations, and of those who are in them.
///
/// It is there for guessing what the next message of one will need, so that all of it is read at
/// once. Nothing is decided by it: what is read decides, and a guess that was wrong costs a second
/// read. A process that handles one event remembers nothing.
package final class ConversationMemory: Sendable {
  /// As it was when it was read.
  fileprivate struct Entry: Sendable {
    /// nil in the layout without conversation documents.
    var conversation: Conversation?
    var profiles: [String: UserProfile]
  }

  private static let maximumConversations = 500
  /// Larger ones aren't remembered: they would take the room of many.
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

/// A message as an event has it, in its conversation as this process last saw it.
package struct ExpectedMessage: Sendable {
  package var message: Message
  package var conversation: Conversation
  package var profiles: [String: UserProfile]
}

extension ChatSession {
  /// Keeps for the next message what was read for this one.
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

  /// What will probably be read of a message and those who read it.
  ///
  /// - Parameters:
  ///   - copy: the event's, nil if it has none.
  ///   - former: the message as it was before the event.
  /// - Returns: nil if this process doesn't know the conversation.
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

  /// Whether all that was expected is so: what was made of it needn't be made again.
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
