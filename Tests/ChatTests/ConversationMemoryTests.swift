import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import HTTPClient
import Logging
import TestKit
import Testing

@testable import Chat

struct ConversationMemoryTests {
  private func session() throws -> ChatSession {
    let firestore = FirestoreClient(
      endpoint: try .emulator(host: "127.0.0.1:9", database: ChatDocuments.database),
      transport: .forTests(),
      deadline: .generous
    )
    return ChatSession(
      context: FunctionContext(
        function: "translateMessage",
        eventID: "e",
        invocationID: "i",
        attempt: 1,
        deadline: .generous,
        traceparent: "trace",
        sources: .system,
        logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
      ),
      paths: try ChatPaths(Configuration(environment: [:])),
      firestore: firestore,
      leases: Leases(
        firestore: firestore,
        holder: "h",
        duration: .seconds(1),
        deadline: .generous,
        random: { 1 }
      )
    )
  }

  private func message(in conversation: String = "c1", _ fields: Fields = [:]) throws -> Document {
    try ChatDocuments.document(
      "conversations/\(conversation)/messages/m",
      fields.merging(["senderId": "sarah"]) { $1 }
    )
  }

  @Test func `a conversation's members and profiles are remembered for its next message`() throws {
    let session = try session()
    let copy = try message()
    #expect(session.expected(copy) == nil)
    #expect(session.expected(nil) == nil)
    let conversation = try Conversation(
      ChatDocuments.conversation(["participants": ["sarah", "marco"]])
    )
    let marco = UserProfile(try ChatDocuments.user("marco", ["primaryLanguage": "it"]))
    let name = try session.conversationName(of: copy.name.path)
    session.remember(conversation, ["marco": marco], as: name)
    let expected = try #require(session.expected(copy))
    #expect(expected.message.senderID == "sarah")
    #expect(expected.conversation.participants == ["sarah", "marco"])
    #expect(expected.profiles["marco"]?.language == "it")
    #expect(session.expected(try message(in: "c2")) == nil)
  }

  @Test func `without a conversation document the message names the members`() throws {
    let session = try session()
    let copy = try message(in: "c1", ["recipientId": "marco"])
    let name = try session.conversationName(of: copy.name.path)
    session.remember(Conversation(of: Message(copy)), [:], as: name)
    let next = try message(in: "c1", ["recipientId": "lea"])
    #expect(session.expected(next)?.conversation.participants == ["sarah", "lea"])
  }

  @Test func `the memory holds a limited number of conversations, and no large ones`() throws {
    let session = try session()
    let crowd = try Conversation(
      ChatDocuments.conversation([
        "participants": .array((0...100).map { .string("u\($0)") })
      ])
    )
    let copy = try message()
    session.remember(crowd, [:], as: try session.conversationName(of: copy.name.path))
    #expect(session.expected(copy) == nil)

    var copies: [Document] = []
    for number in 0..<600 {
      let copy = try message(in: "c\(number)")
      copies.append(copy)
      let name = try session.conversationName(of: copy.name.path)
      session.remember(Conversation(of: Message(copy)), [:], as: name)
    }
    #expect(copies.count { session.expected($0) != nil } == 500)
    #expect(session.expected(copies[599]) != nil)
  }
}
