import FirestoreModel
import FunctionRuntime
import RPCStatus
import Testing

@testable import sendNotification
@testable import translateMessage

struct ManifestTests {
  private let older = Configuration(
    environment: ["MESSAGES_PATH": "messages/{conversationId}/messages/{messageId}"]
  )

  @Test func `translateMessage wakes for new messages, new texts and deletions, and can be called`()
    throws
  {
    let manifest = try TranslateMessage.manifest(Configuration(environment: [:]))
    let messages = "conversations/{conversationId}/messages/{messageId}"
    #expect(manifest.name == "translateMessage")
    #expect(
      manifest.triggers == [
        .init(eventType: EventType(.created), document: messages),
        .init(eventType: EventType(.updated), document: messages, fields: [FieldPath("text")]),
        .init(eventType: EventType(.deleted), document: messages),
      ]
    )
    #expect(manifest.callable)
    #expect(manifest.worker)
    #expect(manifest.retry)
    #expect(manifest.secrets == ["GOOGLE_TRANSLATION_API_KEY", "TRANSLATION_API_KEY"])
    #expect(
      manifest.writes == [
        messages, "translations/{key}", "translationFailures/{key}", "functionEvents/{key}",
        "leases/{key}", "limits/{key}",
      ]
    )
  }

  @Test func `sendNotification wakes for new messages, new texts, receipts and deletions`() throws {
    let manifest = try SendNotification.manifest(Configuration(environment: [:]))
    #expect(manifest.name == "sendNotification")
    #expect(
      manifest.triggers.map(\.eventType) == [
        EventType(.created), EventType(.updated), EventType(.deleted),
      ]
    )
    #expect(
      manifest.triggers.map(\.fields) == [nil, [FieldPath("readBy"), FieldPath("text")], nil]
    )
    #expect(!manifest.callable)
    #expect(manifest.environment.map(\.name).contains("FCM_BASE_URL"))
    #expect(manifest.writes.contains("conversations/{conversationId}"))
  }

  @Test func `both follow MESSAGES_PATH`() throws {
    let path = "messages/{conversationId}/messages/{messageId}"
    let translate = try TranslateMessage.manifest(older)
    #expect(translate.triggers.map(\.document) == [path, path, path])
    let send = try SendNotification.manifest(older)
    #expect(send.triggers.map(\.document) == [path, path, path])
    #expect(send.writes.contains("messages/{conversationId}"))
    let wrong = Configuration(environment: ["MESSAGES_PATH": "x"])
    #expect(throws: StatusError.self) { try TranslateMessage.manifest(wrong) }
    #expect(throws: StatusError.self) { try SendNotification.manifest(wrong) }
  }
}
