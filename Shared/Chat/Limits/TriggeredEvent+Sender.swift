import Core
import FirestoreModel
package import FunctionRuntime

extension TriggeredEvent {
  /// The sender of the event's message, or `nil` if the message names none.
  package var senderID: String? {
    (event.value ?? event.oldValue)?.fields["senderId"]?.userID
  }
}
