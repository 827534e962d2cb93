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
    #expect(paths.layouts.map(\.conversations.description) == [conversations])
    let path = try ResourcePath(message)
    let conversation = ChatPaths.conversation(of: path)
    #expect(try paths.conversations("c1") == [conversation])
    #expect(try paths.messageCollection(of: conversation) == path.parent.id)
    #expect(try paths.message("m1", in: conversation) == path)
    #expect(paths.messageCollections == [path.parent.id])
    #expect(paths.isMessage(path))
    #expect(!paths.isMessage(conversation))
  }

  @Test func `several patterns are layouts in the order of the list`() throws {
    let paths = try paths(
      "conversations/{conversationId}/messages/{messageId},messages/{c}/messages/{m},"
        + "tenants/t1/chats/{id}/texts/{id}"
    )
    #expect(
      try paths.conversations("c1").map(\.description) == [
        "conversations/c1", "messages/c1", "tenants/t1/chats/c1",
      ]
    )
    #expect(paths.messageCollections == ["messages", "texts"])
    #expect(
      try paths.conversations("c1").map { try paths.messageCollection(of: $0) } == [
        "messages", "messages", "texts",
      ]
    )
    for path in [
      "conversations/c/messages/m", "messages/c/messages/m", "tenants/t1/chats/c/texts/m",
    ] {
      #expect(paths.isMessage(try ResourcePath(path)))
    }
    for path in [
      "chats/c/messages/m", "messages/c", "tenants/t2/chats/c/texts/m", "messages/c/texts/m",
    ] {
      #expect(!paths.isMessage(try ResourcePath(path)))
    }
    let error = #expect(throws: StatusError.self) {
      try paths.messageCollection(of: ResourcePath("chats/c1"))
    }
    #expect(error?.code == .internal)
  }

  private static let standard = "conversations/{conversationId}/messages/{messageId}"

  @Test(arguments: [
    "messages", "messages/{m}", "conversations/{c}/messages", "{c}/{m}",
    "conversations/c1/messages/{m}", "conversations/{c}/messages/m1", "a/{b}/c/{d}/e/{f}",
    "/conversations/{c}/messages/{m}", "conversations/{c}/messages/{m}/",
    "conversations//messages/{m}", "conversations/{c}/messages/{m=**}",
    "conversations/{c}/**/{m}", "conversations/*/messages/*", "conv*/{c}/messages/{m}",
    "conversations/{c}/messages/{m", " ", "conversations/{c}/../{m}", "__chats__/{c}/messages/{m}",
    "conversations/{c}/messages/{m} ", "my chats/{c}/messages/{m}", "{any}/{c}/messages/{m}",
  ])
  func `an invalid pattern is named with the variable, alone or in a list`(item: String) {
    let error = StatusError.configuration(
      .invalidArgument,
      "MESSAGES_PATH has the item \(quoted(item)): list patterns like \(Self.standard), separated by"
        + " commas without spaces"
    )
    #expect(throws: error) { try paths(item) }
    #expect(throws: error) { try paths("chats/{c}/messages/{m},\(item)") }
    #expect(throws: error) { try paths("\(item),chats/{c}/messages/{m}") }
  }

  @Test(arguments: [
    (",", ""), ("chats/{c}/messages/{m},", ""), (",chats/{c}/messages/{m}", ""),
    ("a/{c}/messages/{m},,b/{c}/messages/{m}", ""),
    ("a/{c}/messages/{m}, b/{c}/messages/{m}", " b/{c}/messages/{m}"),
    ("a/{c}/messages/{m};b/{c}/messages/{m}", "a/{c}/messages/{m};b/{c}/messages/{m}"),
  ])
  func `an item of a list that is empty or has a space is named`(value: String, item: String) {
    let error = #expect(throws: StatusError.self) { try paths(value) }
    #expect(error?.message.hasPrefix("MESSAGES_PATH has the item \(quoted(item)): ") == true)
    #expect(error?.fault == .configuration)
  }

  @Test(arguments: [
    ("chats/{c}/messages/{m}", "chats/{c}/messages/{m}"),
    ("chats/{c}/messages/{m}", "chats/{conversationId}/messages/{messageId}"),
    // A conversation's messages would be in two collections.
    ("chats/{c}/messages/{m}", "chats/{c}/texts/{m}"),
    // A message of one layout would be a conversation of the other.
    ("tenants/t1/chats/{c}/texts/{m}", "tenants/{t}/chats/{m}"),
    ("tenants/{t}/chats/{m}", "tenants/t1/chats/{c}/texts/{m}"),
  ])
  func `patterns that overlap are named`(first: String, second: String) {
    let error = StatusError.configuration(
      .invalidArgument,
      "MESSAGES_PATH lists \(quoted(first)) and \(quoted(second)), which overlap: a document can be"
        + " at only one of the paths"
    )
    #expect(throws: error) { try paths("\(first),\(second)") }
    #expect(throws: error) { try paths("\(first),other/{c}/messages/{m},\(second)") }
  }

  @Test(
    arguments: [
      "users", "deviceTokens", "translations", "translationFailures", "functionEvents",
      "aiAnalysis", "aiChats", "smartReplies", "leases", "limits", "config",
    ],
    ["{c}/messages/{m}", "{uid}/devices/{deviceId}", "u1/chats/{c}/messages/{m}"]
  )
  func `the functions' own collections have no conversations`(own: String, rest: String) throws {
    let error = StatusError.configuration(
      .invalidArgument,
      "MESSAGES_PATH has the item \(quoted("\(own)/\(rest)")), but the functions keep their own"
        + " documents in \(own): conversations need another collection"
    )
    #expect(throws: error) { try paths("\(own)/\(rest)") }
    #expect(throws: error) { try paths("chats/{c}/messages/{m},\(own)/\(rest)") }
    #expect(try paths("\(own)2/\(rest)").layouts.count == 1)
  }

  @Test func `a list has at most ten patterns`() throws {
    let patterns = (1...11).map { "chats\($0)/{c}/messages/{m}" }
    let ten = try paths(patterns.prefix(10).joined(separator: ","))
    #expect(ten.layouts.count == 10)
    let error = StatusError.configuration(
      .invalidArgument,
      "MESSAGES_PATH lists 11 patterns: list at most 10"
    )
    #expect(throws: error) { try paths(patterns.joined(separator: ",")) }
  }

  @Test(arguments: ["", "a/b", "c/messages/m", "..", ".", "__c__"])
  func `ids that no document can have are refused`(id: String) throws {
    let paths = try paths(nil)
    let conversation = try #require(try paths.conversations("c").first)
    for look in [
      { _ = try paths.conversations(id) }, { _ = try paths.message(id, in: conversation) },
    ] {
      let error = #expect(throws: StatusError.self) { try look() }
      #expect(error?.code == .invalidArgument)
    }
  }
}
