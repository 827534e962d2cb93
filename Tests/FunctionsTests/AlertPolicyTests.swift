import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import sendNotification

/// The choice between a push that rings and a silent one.
struct AlertPolicyTests {
  private static let noon = Timestamp(seconds: 1_764_072_000)  // 2025-11-25T12:00:00Z

  private func silence(
    muted: Value = .null,
    profile: Fields = [:],
    message: Fields = [:],
    at time: Timestamp = Self.noon
  ) throws -> (reason: String?, invalidHours: Int) {
    let conversation = try Conversation(
      ChatDocuments.conversation([
        "participants": ["sarah", "marco"], "settings": ["muted": muted],
      ])
    )
    var policy = AlertPolicy(
      Message(try ChatDocuments.message(message)),
      in: conversation,
      at: time
    )
    let user = try ChatDocuments.user("marco", profile)
    let recipient = RecipientState(
      name: user.name,
      profile: UserProfile(user),
      devices: Devices(documents: [], profile: nil),
      inbox: []
    )
    return (policy.silence(for: recipient), policy.invalidHours)
  }

  // MARK: Muted

  static let mutes: [(Value, isMuted: Bool)] = [
    (["marco"], true), (["sarah", "marco"], true), (["sarah"], false), ([7], false),
    (["marco": true], true), (["marco": false], false), (["marco": .null], false),
    (["sarah": true], false), (["marco": [:]], true), (["marco": "yes"], false),
    (["marco": 1], false), (["marco": ["marco"]], false),
    (["marco": ["until": .timestamp(Self.noon)]], false),
    (["marco": ["until": .timestamp(Self.noon.advanced(by: .seconds(1)))]], true),
    (["marco": ["until": .integer(1_764_072_000_000)]], false),
    (["marco": ["until": .integer(1_764_072_000_001)]], true),
    (["marco": ["until": "tomorrow"]], true), (["marco": ["until": .null]], true),
    (["marco": ["mentions": true]], true), (["marco": ["mentions": "yes"]], true),
    ("marco", false), (true, false), (.null, false),
  ]

  @Test(arguments: mutes)
  func `a member mutes a conversation for good or until a time`(
    muted: Value,
    isMuted: Bool
  ) throws {
    #expect(try silence(muted: muted).reason == (isMuted ? "muted" : nil))
  }

  // MARK: Mentions

  static let texts: [(text: String, isMention: Bool)] = [
    ("@marco", true), ("Hey @Marco!", true), ("@MARCO, @x", true), ("(@marco)", true),
    ("@Marco Rossi", true), ("你好@marco", true), ("@marco's", true), ("@marco👋", true),
    ("@marco\n", true), ("@@marco", true), ("#@marco.", true), ("@x @marco", true),
    ("marco", false), ("@ marco", false), ("@marcos", false), ("@marco1", false),
    ("@marco_r", false), ("@marcoé", false), ("@marco\u{301}", false), ("sarah@marco", false),
    ("7@marco", false), ("@sarah", false), ("@", false), ("", false), ("@Rossi", false),
    ("@zoë", true), ("@ZOë", true), ("@zoe\u{308}", false), ("@ZOË", false),
    (String(repeating: "@x ", count: 49) + "@marco", true),
    (String(repeating: "@x ", count: 50) + "@marco", false),
  ]

  @Test(arguments: texts)
  func `a mention by id or name in the text rings`(text: String, isMention: Bool) throws {
    let name = text.lowercased().contains("zo") ? "Zoë" : "Marco Rossi"
    let reason = try silence(
      muted: ["marco": ["mentions": true]],
      profile: ["displayName": .string(name)],
      message: ["text": .string(text)]
    ).reason
    #expect(reason == (isMention ? nil : "muted"))
  }

  static let lists: [(Value, isMention: Bool)] = [
    (["marco"], true), (["sarah", 7, "marco"], true), (["Marco"], false), ("marco", false),
    (["marco": true], false), ([], false), (.null, false),
  ]

  @Test(arguments: lists)
  func `a mention in the message's list rings`(list: Value, isMention: Bool) throws {
    let reason = try silence(
      muted: ["marco": ["mentions": true]],
      message: ["text": "Hi", "mentions": list]
    ).reason
    #expect(reason == (isMention ? nil : "muted"))
    #expect(try silence(muted: ["marco"], message: ["mentions": list]).reason == "muted")
  }

  @Test(arguments: ["", " ", "\u{200B}", String(repeating: "a", count: 129)])
  func `a name without visible characters or too long is never mentioned`(name: String) throws {
    let reason = try silence(
      muted: ["marco": ["mentions": true]],
      profile: ["displayName": .string(name)],
      message: ["text": .string("@\(name) hello")]
    ).reason
    #expect(reason == "muted")
  }

  // MARK: Quiet hours

  private func hours(_ from: Value, _ to: Value, _ zone: Value) -> Fields {
    ["quietHours": ["from": from, "to": to, "timeZone": zone]]
  }

  static let times: [(String, String, String, time: String, isQuiet: Bool)] = [
    ("22:00", "07:00", "Europe/Rome", "2026-01-10T20:59:59Z", false),
    ("22:00", "07:00", "Europe/Rome", "2026-01-10T21:00:00Z", true),
    ("22:00", "07:00", "Europe/Rome", "2026-01-11T05:59:59Z", true),
    ("22:00", "07:00", "Europe/Rome", "2026-01-11T06:00:00Z", false),
    ("22:00", "07:00", "Europe/Rome", "2026-07-10T20:00:00Z", true),
    ("22:00", "07:00", "Europe/Rome", "2026-07-11T05:00:00Z", false),
    ("13:00", "14:30", "Asia/Kolkata", "2026-01-10T07:30:00Z", true),
    ("13:00", "14:30", "Asia/Kolkata", "2026-01-10T09:00:00Z", false),
    ("00:00", "23:59", "UTC", "2026-01-10T23:58:59Z", true),
    ("00:00", "23:59", "UTC", "2026-01-10T23:59:00Z", false),
  ]

  @Test(arguments: times)
  func `quiet hours follow the user's time zone, also across midnight`(
    from: String,
    to: String,
    zone: String,
    time: String,
    isQuiet: Bool
  ) throws {
    let result = try silence(
      profile: hours(.string(from), .string(to), .string(zone)),
      at: Timestamp(time)
    )
    #expect(result.reason == (isQuiet ? "quiet hours" : nil))
    #expect(result.invalidHours == 0)
  }

  private static let wrongMembers: [(from: Value, to: Value, zone: Value)] = [
    ("24:00", "07:00", "UTC"), ("7:00", "23:00", "UTC"), ("00:60", "23:00", "UTC"),
    ("00:00", "00:00", "UTC"), ("0000", "23:00", "UTC"), ("00:00 ", "23:00", "UTC"),
    (0, 23, "UTC"), ("00:00", "23:00", "Mars/Olympus"), ("00:00", "23:00", "../UTC"),
    ("00:00", "23:00", ""), ("00:00", "23:00", 1), ("00:00", "23:00", .null),
    ("٠٠:٠٠", "23:00", "UTC"),
  ]
  private static let wrongValues: [Value] = [
    [:], "22:00-07:00", true, ["22:00", "07:00"], ["from": "00:00", "to": "23:00"],
  ]
  static let invalid: [Value] =
    wrongValues
    + wrongMembers.map { .map(["from": $0.from, "to": $0.to, "timeZone": $0.zone]) }

  @Test(arguments: invalid)
  func `invalid quiet hours are no quiet hours, and are counted`(value: Value) throws {
    let result = try silence(profile: ["quietHours": value])
    #expect(result.reason == nil)
    #expect(result.invalidHours == 1)
  }

  @Test func `missing quiet hours are not invalid, and a mention doesn't end them`() throws {
    #expect(try silence(profile: ["quietHours": .null]).invalidHours == 0)
    let result = try silence(
      muted: ["marco": ["mentions": true]],
      profile: hours("00:00", "23:00", "UTC"),
      message: ["text": "@marco"]
    )
    #expect(result.reason == "quiet hours")
  }
}
