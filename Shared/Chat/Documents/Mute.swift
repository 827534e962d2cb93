package import Core
package import FirestoreModel

/// A member's choice to mute a conversation, an entry of its `settings.muted`.
package struct Mute: Hashable, Sendable {
  /// The end, or `nil` if there is none.
  private let end: Timestamp?
  /// A Boolean value that indicates whether a message that mentions the member still rings.
  package let allowsMentions: Bool

  /// Decodes the members' choices.
  ///
  /// An array contains the ids of members who muted the conversation. A map contains `true` for
  /// such a member, or a map with `until` and `mentions`. Other values count as missing.
  package static func all(in value: Value?) -> [ByteKey: Mute] {
    var mutes: [ByteKey: Mute] = [:]
    for uid in value?.arrayValue?.compactMap(\.userID) ?? [] { mutes[ByteKey(uid)] = Mute(true) }
    for (key, value) in value?.mapValue ?? [:] {
      if let uid = Value.string(key.string).userID { mutes[ByteKey(uid)] = Mute(value) }
    }
    return mutes
  }

  private init?(_ value: Value) {
    switch value {
    case .boolean(true):
      end = nil
      allowsMentions = false
    case .map(let fields):
      end = fields["until"]?.clientTime
      allowsMentions = fields["mentions"] == true
    default: return nil
    }
  }

  /// Returns a Boolean value that indicates whether the choice still applies.
  package func isActive(at time: Timestamp) -> Bool { end.map { time < $0 } ?? true }
}
