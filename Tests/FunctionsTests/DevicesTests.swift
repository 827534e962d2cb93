import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

struct DevicesTests {
  private func device(_ id: String, _ token: Value?) throws -> Document {
    try ChatDocuments.document(
      "users/marco/devices/\(id)",
      token.map { ["fcmToken": $0, "platform": "ios"] } ?? [:]
    )
  }

  private func profile(_ fields: Fields) throws -> UserProfile {
    UserProfile(try ChatDocuments.user("marco", fields))
  }

  private func devices(_ documents: [Document], _ profile: UserProfile? = nil) -> Devices {
    Devices(documents: documents, profile: profile)
  }

  @Test func `each token is one device, wherever it is stored`() throws {
    let devices = devices(
      [
        try device("d1", "a"), try device("d2", "b"), try device("d3", nil), try device("d4", ""),
        try device("d5", 7), try device("d6", .null),
      ],
      try profile(["fcmToken": "b", "fcmTokens": ["c", "a", "c", "d", ""]])
    )
    #expect(devices.all.map(\.token) == ["a", "b", "c", "d"])
    #expect(devices.all.map { $0.documents.map(\.name.id) } == [["d1"], ["d2"], [], []])
    #expect(devices.all.allSatisfy { $0.profile != nil })
  }

  @Test func `a text that is too long for a token is ignored`() throws {
    let longest = String(repeating: "a", count: 4_096)
    let marks = String(repeating: "\u{301}\u{316}", count: 1_100)
    let tokens = ["b", longest, longest + "a", marks]
    let devices = devices(
      try tokens.enumerated().map { try device("d\($0)", .string($1)) },
      try profile(["fcmToken": .string(marks)])
    )
    #expect(devices.all.map(\.token) == ["b", longest])
  }

  @Test func `without documents and profile there is no device`() throws {
    #expect(devices([]).all.isEmpty)
    #expect(devices([], try profile([:])).all.isEmpty)
  }

  @Test func `a device document with a dead token is deleted if unchanged`() throws {
    let document = try device("d1", "a")
    let removals = try #require(devices([document]).all.first).removals
    #expect(
      removals == [
        Write(.delete(document.name), currentDocument: .updateTime(ChatDocuments.updateTime))
      ]
    )
  }

  static let profiles: [(fields: Fields, mask: [String], isInList: Bool)] = [
    (["fcmToken": "a"], ["fcmToken"], false),
    (["fcmTokens": ["a", "b"]], [], true),
    (["fcmToken": "b", "fcmTokens": ["a"]], [], true),
    (["fcmToken": "a", "fcmTokens": ["a", "b"]], ["fcmToken"], true),
  ]

  @Test(arguments: profiles)
  func `a dead token on the profile is removed, and others stay`(
    fields: Fields,
    mask: [String],
    isInList: Bool
  ) throws {
    let profile = try profile(fields)
    let device = try #require(devices([], profile).all.first { $0.token == "a" })
    let write = try #require(device.removals.first)
    #expect(device.removals.count == 1)
    #expect(write.operation == .update(Document(name: profile.document.name, fields: [:])))
    #expect(write.updateMask?.fieldPaths.map(\.description) == mask)
    #expect(
      write.updateTransforms
        == (isInList ? [.init(FieldPath("fcmTokens"), .removeAllFromArray(["a"]))] : [])
    )
    #expect(write.currentDocument == .updateTime(ChatDocuments.updateTime))
  }

  @Test func `a dead token in both places is removed from both`() throws {
    let devices = devices([try device("d1", "a")], try profile(["fcmToken": "a"]))
    let removals = try #require(devices.all.first).removals
    #expect(removals.map(\.name.path.description) == ["users/marco/devices/d1", "users/marco"])
  }

  @Test func `a dead token in two documents is removed from both`() throws {
    let devices = devices([try device("d1", "a"), try device("d2", "a")])
    #expect(devices.all.count == 1)
    let removals = try #require(devices.all.first).removals
    #expect(removals.map(\.name.id) == ["d1", "d2"])
  }
}
