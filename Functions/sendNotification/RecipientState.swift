import Chat
import FirestoreModel

/// The documents that were read for one recipient.
struct RecipientState {
  /// The name of the profile, which need not exist.
  var name: DocumentName
  var profile: UserProfile?
  var devices: Devices
  /// The stored unread counts of the recipient's conversations, except those that are zero.
  var inbox: [Document]

  var uid: String { name.id }

  /// Returns the sum of the recipient's unread counts, with the given conversation's current count.
  func badge(unread: Int, in conversationID: String) -> Int {
    unread + inbox.filter { $0.name.id != conversationID }.badge
  }
}
