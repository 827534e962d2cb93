import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

@testable import mirrorPresence

struct PresenceTests {
  /// 1,000 stories of a phone that comes, opens conversations and goes. Their events arrive in any
  /// order, some of them twice.
  @Test func `any order of events leaves the same profile`() throws {
    for seed in 0..<1_000 {
      var dice = Dice(seed: UInt64(seed))
      var events: [ReferenceEvent] = []
      var status = JSONValue.null
      var time = Int64(1_772_388_000_000_000)
      for _ in 0..<12 {
        let next = Self.status(&dice)
        // Some changes are only a microsecond apart.
        time += dice.number(below: 2) == 0 ? 1 : Int64(dice.number(below: 5_000_000))
        events.append(Self.event(from: status, to: next, at: Timestamp(microseconds: time)))
        status = next
      }
      let now = Timestamp(microseconds: time).advanced(by: .seconds(1))
      let inOrder = Self.profile(after: events, at: now)
      #expect(inOrder["online"] == .boolean(status["state"] == .string("online")))
      #expect(inOrder["lastSeen"] == .timestamp(Timestamp(microseconds: time)))
      var shuffled = events + events.filter { _ in dice.number(below: 2) == 0 }
      for index in shuffled.indices.reversed() {
        shuffled.swapAt(index, dice.number(below: index + 1))
      }
      let found = Self.profile(after: shuffled, at: now)
      #expect(found == inOrder, "seed \(seed)")
    }
  }

  private static func status(_ dice: inout Dice) -> JSONValue {
    switch dice.number(below: 4) {
    case 0: .null
    case 1: .object(["state": .string("offline"), "last_changed": .integer(1)])
    // The phone's clock is a day ahead.
    case 2: .object(["state": .string("online"), "last_changed": .integer(1_772_474_400_000)])
    default:
      .object([
        "state": .string("online"), "last_changed": .integer(1),
        "open": .string("c\(dice.number(below: 3))"),
      ])
    }
  }

  private static func event(
    from before: JSONValue,
    to after: JSONValue,
    at time: Timestamp
  ) -> ReferenceEvent {
    ReferenceEvent(
      id: "e",
      type: EventType(.written, of: .reference),
      instance: "demo-default-rtdb",
      ref: "status/sarah",
      time: time,
      data: before,
      delta: before.delta(to: after)
    )
  }

  /// Returns a profile's fields after the events, each of which is handled as PresenceUpdate does.
  private static func profile(after events: [ReferenceEvent], at now: Timestamp) -> Fields {
    let database = DatabaseName(project: "demo")
    guard let name = try? DocumentName(database: database, path: ResourcePath("users/sarah"))
    else { return [:] }
    var profile = Document(name: name, fields: ["displayName": "Sarah"])
    for event in events {
      let presence = Presence(event)
      guard presence.follows(profile, at: now) else { continue }
      profile.fields["open"] = nil
      profile.fields.merge(presence.fields) { $1 }
    }
    return profile.fields
  }

  @Test(arguments: [
    // A late event; the same event; one after it.
    (10, 11, 20, false), (10, 10, 20, false), (11, 10, 20, true),
    // A time that a wrong clock wrote: far ahead, and within the servers' difference.
    (10, 1_000, 20, true), (10, 70, 20, false), (10, 81, 20, true),
  ])
  func `a change follows an earlier one, and a time from the future`(
    event: Int64,
    lastSeen: Int64,
    now: Int64,
    follows: Bool
  ) throws {
    let name = try DocumentName(
      database: DatabaseName(project: "demo"),
      path: ResourcePath("users/sarah")
    )
    let profile = Document(
      name: name,
      fields: ["lastSeen": .timestamp(Timestamp(seconds: lastSeen))]
    )
    let presence = Presence(Self.event(from: .null, to: .null, at: Timestamp(seconds: event)))
    #expect(presence.follows(profile, at: Timestamp(seconds: now)) == follows)
  }
}
