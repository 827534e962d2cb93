import Core
import FirestoreModel
import FunctionRuntime
import Testing

@testable import Chat

struct ChatPathsTests {
  private func paths(_ value: String?) throws(StatusError) -> ChatPaths {
    try ChatPaths(Configuration(environment: value.map { ["MESSAGES_PATH": $0] } ?? [:]))
  }

  @Test(arguments: [
    (nil, "conversations/{conversationId}", "conversations/c1/messages/m1"),
    ("", "conversations/{conversationId}", "conversations/c1/messages/m1"),
    ("messages/{c}/messages/{m}", "messages/{c}", "messages/c1/messages/m1"),
    ("chats/{id}/messages/{id}", "chats/{id}", "chats/c1/messages/m1"),
    ("tenants/t1/chats/{c}/texts/{m}", "tenants/t1/chats/{c}", "tenants/t1/chats/c1/texts/m1"),
  ])
  func `messages are below their conversation, whatever the pattern`(
    value: String?,
    conversations: String,
    message: String
  ) throws {
    let paths = try paths(value)
    #expect(paths.conversations == conversations)
    let path = try paths.message("m1", in: "c1")
    #expect(path.description == message)
    #expect(paths.messages.match(path) != nil)
    #expect(paths.messageCollection == path.parent.id)
    #expect(ChatPaths.conversation(of: path) == path.parent.parent)
  }

  @Test(arguments: [
    "messages", "messages/{m}", "conversations/{c}/messages", "{c}/{m}",
    "conversations/c1/messages/{m}", "conversations/{c}/messages/m1", "a/{b}/c/{d}/e/{f}",
    "/conversations/{c}/messages/{m}", "conversations/{c}/messages/{m}/",
    "conversations//messages/{m}", "conversations/{c}/messages/{m=**}",
    "conversations/{c}/**/{m}", "conversations/*/messages/*", "conv*/{c}/messages/{m}",
    "conversations/{c}/messages/{m", " ",
  ])
  func `an invalid pattern names the variable`(value: String) {
    let error = StatusError.configuration(
      .invalidArgument,
      "MESSAGES_PATH must be a pattern like conversations/{conversationId}/messages/{messageId}"
    )
    #expect(throws: error) { try paths(value) }
  }

  @Test(arguments: [
    ("", "c"), ("m", ""), ("a/b", "c"), ("m", "c/messages/m"), ("..", "c"), ("m", "."),
  ])
  func `ids that no document can have are refused`(message: String, conversation: String) throws {
    let paths = try paths(nil)
    let error = #expect(throws: StatusError.self) { try paths.message(message, in: conversation) }
    #expect(error?.code == .invalidArgument)
  }
}
