import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import Store

extension Dispatcher {
  /// Returns the id of the event that created a document, the newest if there are several, or else
  /// of the document's oldest change. Returns `nil` if no change of the document is kept.
  ///
  /// After a restart with `--data` only the deliveries know earlier changes.
  func origin(of document: DocumentName) -> String? {
    let resource = document.description
    let written = writes.entries.filter { $0.document == document }.map { entry in
      (time: entry.time, id: entry.eventID, isCreation: entry.kind == .created)
    }
    let delivered = deliveries.filter { $0.event.resource.hasSameBytes(as: resource) }
      .map { delivery in
        (
          time: delivery.event.time, id: delivery.event.id, isCreation: delivery.change == .created
        )
      }
    let changes = (written + delivered).sorted { $0.time < $1.time }
    return (changes.last(where: \.isCreation) ?? changes.first)?.id
  }
}
