import Core
import FirestoreModel
import FunctionRuntime

/// A user's presence at one time: online or not, and the conversation that is open.
struct Presence: Equatable {
  var isOnline: Bool
  /// The id of the conversation that the user has open, or `nil` if there is none.
  var open: String?
  /// The time of the change on the Realtime Database's clock, in the precision that Firestore
  /// stores. The node's own `last_changed` may come from a phone whose clock is wrong.
  var time: Timestamp
  /// A Boolean value that indicates whether the node exists after the change.
  var exists: Bool

  /// The time by which the clocks of two servers may differ.
  private static let clockDifference = Duration.seconds(60)

  /// Creates the presence after the change of a node `status/{uid}`.
  ///
  /// Without a node the user is offline, and with a `state` other than `online`, too.
  init(_ event: ReferenceEvent) {
    let value = event.value
    isOnline = value["state"]?.string?.hasSameBytes(as: "online") == true
    open = isOnline ? value["open"]?.string.flatMap(Self.conversationID) : nil
    time = Timestamp(microseconds: event.time.microseconds)
    exists = !value.isNull
  }

  private static func conversationID(_ text: String) -> String? {
    (try? ResourcePath(segments: ["conversations", text])).map { _ in text }
  }

  /// Returns whether this change is later than the one that a profile shows.
  ///
  /// A profile's `lastSeen` is the time of the last change. One from the future, which a client with
  /// a wrong clock has written, doesn't count.
  ///
  /// - Parameter now: the current time.
  func follows(_ profile: Document, at now: Timestamp) -> Bool {
    guard let lastSeen = profile.fields["lastSeen"]?.timestampValue,
      lastSeen <= now.advanced(by: Self.clockDifference)
    else { return true }
    return time > lastSeen
  }

  /// The fields of a profile that show the presence.
  var fields: Fields {
    var fields: Fields = ["online": .boolean(isOnline), "lastSeen": .timestamp(time)]
    fields["open"] = open.map(Value.string)
    return fields
  }
}
