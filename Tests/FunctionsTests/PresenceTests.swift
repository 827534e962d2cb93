import Core
import FirestoreModel
import Testing

@testable import mirrorPresence

struct PresenceTests {
  private static let now = Timestamp(seconds: 1_772_388_000)

  private static func presence(_ text: String) throws -> Presence {
    Presence(try JSONValue(parsing: Data(text.utf8)))
  }

  private static func profile(_ fields: Fields) throws -> Document {
    Document(
      name: try DocumentName(
        database: DatabaseName(project: "demo"),
        path: ResourcePath("users/sarah")
      ),
      fields: fields
    )
  }

  @Test(
    arguments: [
      (#"{"state":"online"}"#, true, nil), (#"{"state":"online","open":"trip"}"#, true, "trip"),
      (#"{"state":"offline","open":"trip"}"#, false, nil), ("null", false, nil),
      (#""online""#, false, nil), (#"{"state":"Online"}"#, false, nil), ("[1]", false, nil),
      (#"{"state":"online","open":"a/b"}"#, true, nil),
      (#"{"state":"online","open":7}"#, true, nil),
      (#"{"state":"online","open":""}"#, true, nil),
    ] as [(String, Bool, String?)]
  )
  func `only a state of online is online, and only then a conversation is open`(
    value: String,
    isOnline: Bool,
    open: String?
  ) throws {
    let presence = try Self.presence(value)
    #expect(presence.isOnline == isOnline)
    #expect(presence.open == open)
  }

  /// The times are in seconds before and after the current time.
  @Test(
    arguments: [
      // A first change; a later one; an earlier one, which arrives late.
      (nil, -10, -10), (-20, -10, -10), (-10, -20, -10),
      // A time that a client with a wrong clock wrote: a little and far in the future.
      (45, -10, 45), (86_400, -10, -10),
    ] as [(Int64?, Int64, Int64)]
  )
  func `the time of the last change never moves back, unless it is in the future`(
    seen: Int64?,
    changed: Int64,
    expected: Int64
  ) throws {
    func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: Self.now.seconds + seconds) }
    var fields: Fields = ["online": true]
    fields["lastSeen"] = seen.map { .timestamp(time($0)) }
    let written = try #require(
      try Self.presence("null").fields(
        for: Self.profile(fields),
        changed: time(changed),
        at: Self.now
      )
    )
    // The present value counts, even if its event is late.
    #expect(written["online"] == false)
    #expect(written["lastSeen"] == .timestamp(time(expected)))
  }

  @Test func `a profile that shows the presence isn't written again`() throws {
    let presence = try Self.presence(#"{"state":"online","open":"trip"}"#)
    let fields = try #require(
      presence.fields(for: Self.profile([:]), changed: Self.now, at: Self.now)
    )
    #expect(fields["open"] == "trip")
    let profile = try Self.profile(fields.merging(["displayName": "Sarah"]) { $1 })
    #expect(presence.fields(for: profile, changed: Self.now, at: Self.now) == nil)
    let closed = try Self.presence(#"{"state":"online"}"#)
    let again = try #require(closed.fields(for: profile, changed: Self.now, at: Self.now))
    #expect(again["open"] == nil && again["online"] == true)
  }
}
