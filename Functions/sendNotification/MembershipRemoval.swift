import Chat
import FirestoreModel
import FunctionRuntime

/// The removal of members by a change of the conversation or by its deletion.
struct MembershipRemoval {
  let conversation: DocumentName
  /// The former members' ids, sorted; at least one.
  let uids: [String]
  private let isDeletion: Bool

  /// Creates the removal that an event reports.
  ///
  /// - Returns: `nil` if no member was removed, or if the event lacks the document before or after
  ///   the change.
  init?(_ event: DocumentEvent) {
    guard event.change != .created, let old = event.oldValue.flatMap(Self.participants),
      event.change == .deleted || event.value != nil
    else { return nil }
    let left = Set(old).subtracting(event.value.flatMap(Self.participants) ?? [])
    guard !left.isEmpty else { return nil }
    conversation = event.document
    uids = left.sorted()
    isDeletion = event.change == .deleted
  }

  private static func participants(of document: Document) -> [String]? {
    (try? Conversation(document))?.participants
  }

  /// The key of the lease on sending this removal's pushes.
  ///
  /// All deliveries of one change share the key; another change has another key.
  var leaseKey: String {
    let conversation = ContentHash.document(conversation.path.description)
    let change = isDeletion ? "gone" : ContentHash.text(uids.joined(separator: "/"))
    return "sendNotification_badge_\(conversation)_\(change)"
  }
}
