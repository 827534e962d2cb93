import Chat
import FirestoreModel
import FunctionRuntime

/// The removal of members from a conversation, by one change of it or by its deletion.
struct MembershipRemoval {
  let conversation: DocumentName
  /// In the order of their ids, at least one.
  let uids: [String]
  private let isDeletion: Bool

  /// - Returns: nil if nobody was, or the event doesn't tell: it needs both copies.
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

  /// The key of the lease of whoever tells phones of it; another delivery of the same change has the
  /// same, another change another one.
  var leaseKey: String {
    let conversation = ContentHash.document(conversation.path.description)
    let change = isDeletion ? "gone" : ContentHash.text(uids.joined(separator: "/"))
    return "sendNotification_badge_\(conversation)_\(change)"
  }
}
