import Core
import FirestoreModel
import FunctionRuntime
import Testing

@testable import analyzeMessage
@testable import forgetUser
@testable import mirrorMembership
@testable import mirrorPresence
@testable import sendNotification
@testable import translateMessage

struct FunctionTriggersTests {
  private let older = Configuration(
    environment: ["MESSAGES_PATH": "messages/{conversationId}/messages/{messageId}"]
  )

  @Test func `translateMessage takes new messages, new texts and deletions, and can be called`()
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

  @Test
  func `sendNotification takes messages, their changes, leaving members and devices`()
    throws
  {
    let manifest = try SendNotification.manifest(Configuration(environment: [:]))
    #expect(manifest.name == "sendNotification")
    let conversations = "conversations/{conversationId}"
    let messages = "\(conversations)/messages/{messageId}"
    #expect(
      manifest.triggers == [
        // The triggers name fields, so the function's own removal of tokens ends there.
        .init(eventType: EventType(.created), document: "users/{uid}/devices/{deviceId}"),
        .init(
          eventType: EventType(.updated),
          document: "users/{uid}/devices/{deviceId}",
          fields: ["fcmToken", "updatedAt"].map { FieldPath($0) }
        ),
        .init(eventType: EventType(.created), document: "users/{uid}"),
        .init(
          eventType: EventType(.updated),
          document: "users/{uid}",
          fields: ["fcmToken", "fcmTokens"].map { FieldPath($0) }
        ),
        .init(eventType: EventType(.created), document: messages),
        .init(
          eventType: EventType(.updated),
          document: messages,
          fields: ["mediaURL", "readAt", "readBy", "status", "text"].map { FieldPath($0) }
        ),
        .init(eventType: EventType(.deleted), document: messages),
        // The trigger names a field, so the function's own updates of the last message don't match.
        .init(
          eventType: EventType(.updated),
          document: conversations,
          fields: [FieldPath("participants")]
        ),
        .init(eventType: EventType(.deleted), document: conversations),
      ]
    )
    #expect(!manifest.callable)
    #expect(manifest.environment.map(\.name).contains("FCM_BASE_URL"))
    #expect(manifest.writes.contains(conversations))
  }

  @Test func `both follow MESSAGES_PATH`() throws {
    let path = "messages/{conversationId}/messages/{messageId}"
    let translate = try TranslateMessage.manifest(older)
    #expect(translate.triggers.map(\.path) == [path, path, path])
    let send = try SendNotification.manifest(older)
    let conversations = "messages/{conversationId}"
    #expect(
      send.triggers.map(\.path).suffix(5) == [path, path, path, conversations, conversations]
    )
    #expect(send.writes.contains(conversations))
  }

  private static let conversations = [
    "conversations/{conversationId}", "messages/{c}", "chats/{chatId}",
  ]
  private static let messages = conversations.map { "\($0)/messages/{messageId}" }

  @Test func `each pattern of a list has the triggers that it has alone`() throws {
    let list = Configuration(
      environment: ["MESSAGES_PATH": Self.messages.joined(separator: ",")]
    )
    let single = Self.messages.map { Configuration(environment: ["MESSAGES_PATH": $0]) }
    for manifest in [
      TranslateMessage.manifest, AnalyzeMessage.manifest, SendNotification.manifest,
    ] {
      let triggers = try manifest(list).triggers
      let isOfLayout = { (trigger: FunctionManifest.Trigger) in
        !trigger.path.hasPrefix("users/")
      }
      #expect(
        try triggers.filter(isOfLayout)
          == single.flatMap { try manifest($0).triggers.filter(isOfLayout) }
      )
      // deploy.sh names a trigger by its type and pattern.
      let names = triggers.map { "\($0.eventType) \($0.path)" }
      #expect(Set(names).count == names.count)
    }
    #expect(try TranslateMessage.manifest(list).writes.starts(with: Self.messages))
    #expect(
      Set(try SendNotification.manifest(list).writes).isSuperset(
        of: Self.messages + Self.conversations
      )
    )
    #expect(
      Set(try ForgetUser.manifest(list).writes).isSuperset(of: Self.messages + Self.conversations)
    )
  }

  @Test func `forgetUser takes deleted profiles, can be called, and deletes accounts`() throws {
    let manifest = try ForgetUser.manifest(Configuration(environment: [:]))
    #expect(manifest.name == "forgetUser")
    #expect(manifest.triggers == [.init(eventType: EventType(.deleted), document: "users/{uid}")])
    #expect(manifest.callable)
    #expect(manifest.retry)
    // By this variable deploy.sh finds out that the function needs the role for accounts.
    #expect(manifest.environment.contains(.init("FIREBASE_AUTH_EMULATOR_HOST", required: false)))
  }

  @Test
  func `mirrorPresence takes changes of status and new profiles, mirrorMembership participants`()
    throws
  {
    let presence = try MirrorPresence.manifest(Configuration(environment: [:]))
    #expect(
      presence.triggers == [
        .init(.written, ref: "status/{uid}"),
        .init(eventType: EventType(.created), document: "users/{uid}"),
      ]
    )
    #expect(!presence.callable && presence.retry)
    #expect(presence.writes == ["users/{uid}"])
    let membership = try MirrorMembership.manifest(older)
    #expect(
      membership.triggers == [
        .init(
          eventType: EventType(.written),
          document: "messages/{conversationId}",
          fields: [FieldPath("participants")]
        )
      ]
    )
    #expect(membership.callable && membership.retry && membership.writes == [])
    // By this variable deploy.sh finds out which functions need the Realtime Database.
    for manifest in [presence, membership, try ForgetUser.manifest(older)] {
      #expect(
        manifest.environment.contains(.init("FIREBASE_DATABASE_EMULATOR_HOST", required: false))
      )
      #expect(!manifest.refWrites.isEmpty)
    }
  }

  @Test(arguments: ["x", "chats/{c}/messages/{m},", "chats/{c}/messages/{m},chats/{c}/texts/{m}"])
  func `a wrong MESSAGES_PATH is a configuration error of each manifest`(value: String) throws {
    let wrong = Configuration(environment: ["MESSAGES_PATH": value])
    for manifest in [
      TranslateMessage.manifest, AnalyzeMessage.manifest, SendNotification.manifest,
      ForgetUser.manifest, MirrorMembership.manifest,
    ] {
      let error = #expect(throws: StatusError.self) { try manifest(wrong) }
      #expect(error.map(ExitCode.init) == .configuration)
    }
  }
}
