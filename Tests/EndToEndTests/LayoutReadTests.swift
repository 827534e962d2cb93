import Core
import FirestoreModel
import TestKit
import Testing

/// The documents that a call reads to find a conversation, which it names only by its id.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct LayoutReadTests {
  private static let first = "conversations/{conversationId}/messages/{messageId}"
  private static let all =
    "\(first),messages/{conversationId}/messages/{messageId},chats/{chatId}/messages/{messageId}"

  @Test(arguments: [
    ("conversations", first, [["conversations/c", "conversations/c/messages/m"]]),
    // Each further layout costs one read.
    (
      "conversations", all,
      [["conversations/c", "messages/c", "chats/c", "conversations/c/messages/m"]]
    ),
    (
      "chats", all,
      [
        ["conversations/c", "messages/c", "chats/c", "conversations/c/messages/m"],
        ["chats/c/messages/m"],
      ]
    ),
  ])
  func `a call reads the conversations of all layouts in one request`(
    collection: String,
    paths: String,
    expected: [[String]]
  ) async throws {
    let emulator = try sharedEmulator()
    let door = try LoopbackServer.forwarding(to: emulator.address("firestore"))
    let project = "demo-\(UUID().uuidString.lowercased())"
    try await emulator.write(
      #"{"\#(collection)/c":{"participants":["sarah","marco"]},"#
        + #""\#(collection)/c/messages/m":{"senderId":"sarah","text":"Hello","language":"en"}}"#,
      project: project
    )
    let run = try await runFunction(
      "translateMessage",
      input: #"{"data":{"conversationId":"c","messageId":"m","targetLang":"en"},"#
        + #""auth":{"uid":"marco"}}"#,
      environment: emulator.environment(project: project).merging([
        "FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(door.port)", "MESSAGES_PATH": paths,
      ]) { $1 }
    )
    #expect(run.result?["translatedText"] == .string("Hello"), Comment(rawValue: run.line.text))
    let reads = try door.requests.map(Self.documents).filter { !$0.isEmpty }
    let found = reads.filter { !$0.isSubset(of: ["config/functions", "users/sarah"]) }
    #expect(found == expected.map(Set.init))
  }

  /// Returns the paths of the documents that a request reads.
  private static func documents(in request: ReceivedRequest) throws -> Set<String> {
    let names = (try? JSONValue(parsing: request.body))?["documents"]?.array ?? []
    return Set(try names.map { try DocumentName(#require($0.string)).path.description })
  }
}
