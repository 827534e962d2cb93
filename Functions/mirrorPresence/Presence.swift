import Core
import FirestoreModel

/// A user's presence: online or not, and the conversation that is open.
struct Presence: Equatable {
  var isOnline: Bool
  /// The id of the conversation that the user has open, or `nil` if there is none.
  var open: String?

  /// Creates the presence from the value of a node `status/{uid}`.
  ///
  /// Without a value the user is offline, and with a `state` other than `online`, too.
  init(_ value: JSONValue) {
    isOnline = value["state"]?.string?.hasSameBytes(as: "online") == true
    open = isOnline ? value["open"]?.string.flatMap(Self.conversationID) : nil
  }

  /// Returns the text if it can be a conversation's id.
  private static func conversationID(_ text: String) -> String? {
    (try? ResourcePath(segments: ["conversations", text])).map { _ in text }
  }

  /// The names of a profile's fields that show the presence.
  static let fieldNames = ["online", "lastSeen", "open"]

  /// The time by which the clocks of two servers may differ.
  private static let clockDifference = Duration.seconds(60)

  /// Returns the fields that a profile should have, or `nil` if it has them.
  ///
  /// A profile's `lastSeen` never moves back, unless it is in the future: then a client with a wrong
  /// clock has written it.
  ///
  /// - Parameters:
  ///   - changed: the time of the change of presence.
  ///   - now: the current time.
  func fields(for profile: Document, changed: Timestamp, at now: Timestamp) -> Fields? {
    // Firestore stores microseconds.
    let changed = Timestamp(microseconds: changed.microseconds)
    let seen = profile.fields["lastSeen"]?.timestampValue
    let isValid = seen.map { $0 <= now.advanced(by: Self.clockDifference) } ?? false
    let lastSeen = isValid ? max(seen ?? changed, changed) : changed
    var fields: Fields = ["online": .boolean(isOnline), "lastSeen": .timestamp(lastSeen)]
    fields["open"] = open.map(Value.string)
    let isKnown = Self.fieldNames.allSatisfy { profile.fields[$0] == fields[$0] }
    return isKnown ? nil : fields
  }
}
