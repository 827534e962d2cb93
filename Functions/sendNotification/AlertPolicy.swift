import Chat
import Core
import FirestoreModel

/// The decision whether a message's push to a recipient rings, or is silent and only sets the
/// number on the app's icon.
struct AlertPolicy {
  private let message: Message
  private let conversation: Conversation
  private let time: Timestamp
  private lazy var mentions = Mentions(in: message)
  /// The time zones by name, or `nil` for an unknown name.
  private var zones: [ByteKey: ZoneFile?] = [:]
  /// The number of recipients whose quiet hours are invalid.
  private(set) var invalidHours = 0

  /// - Parameter time: the current time.
  init(_ message: Message, in conversation: Conversation, at time: Timestamp) {
    self.message = message
    self.conversation = conversation
    self.time = time
  }

  /// Returns the reason why a recipient's push is silent, or `nil` if it rings.
  mutating func silence(for recipient: RecipientState) -> String? {
    if recipient.profile?.hasOpen(conversation.path.id) == true { return "open" }
    if isMuted(by: recipient) { return "muted" }
    return isQuiet(recipient.profile) ? "quiet hours" : nil
  }

  private mutating func isMuted(by recipient: RecipientState) -> Bool {
    guard let mute = conversation.muted[ByteKey(recipient.uid)], mute.isActive(at: time) else {
      return false
    }
    guard mute.allowsMentions else { return true }
    return !mentions.contains(recipient.uid, displayName: recipient.profile?.displayName)
  }

  private mutating func isQuiet(_ profile: UserProfile?) -> Bool {
    guard let value = profile?.document.fields["quietHours"], value != .null else { return false }
    guard let hours = QuietHours(value), let zone = zone(hours.timeZone) else {
      invalidHours += 1
      return false
    }
    return hours.contains(time, in: zone)
  }

  private mutating func zone(_ name: String) -> ZoneFile? {
    let key = ByteKey(name)
    if let known = zones[key] { return known }
    let zone = ZoneFile(named: name)
    zones.updateValue(zone, forKey: key)
    return zone
  }
}
