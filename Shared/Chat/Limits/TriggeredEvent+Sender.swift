import Core
import FirestoreModel
package import FunctionRuntime

extension TriggeredEvent {
  /// Who wrote the message that an event is about; nil if it says nobody.
  package var senderID: String? {
    (event.value ?? event.oldValue)?.fields["senderId"]?.userID
  }
}
