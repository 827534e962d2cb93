import Core
import FirestoreModel
import FunctionRuntime
import Store

/// The key of a trigger that is registered with Google's Firestore emulator: the function's name
/// and the trigger's index, such as `translateMessage-0`.
struct AttachedTrigger: CustomStringConvertible {
  var function: String
  /// The index of the trigger in the function's manifest.
  var index: Int

  init(function: String, index: Int) {
    self.function = function
    self.index = index
  }

  /// Creates a trigger's key by parsing a text such as `translateMessage-0`.
  ///
  /// - Throws: `NOT_FOUND` if the text has another form.
  init(key: String) throws(StatusError) {
    guard let hyphen = key.lastIndex(of: "-"), let index = Int(key[key.index(after: hyphen)...])
    else { throw StatusError(.notFound, "there is no trigger \(quoted(key))") }
    self.init(function: String(key[..<hyphen]), index: index)
  }

  var description: String { "\(function)-\(index)" }
}

extension DocumentEvent {
  /// The event of Google's emulator in the form in which production sends it, or `nil` if no field
  /// changed. Production sends no event for such an update.
  ///
  /// Google's emulator sends the time of the delivery, in whole seconds, and an empty update mask.
  var asInProduction: DocumentEvent? {
    var event = self
    event.time = value?.updateTime ?? time
    guard let value, let oldValue else { return event }
    let changed = DocumentChange(name: document, before: oldValue, after: value).changedFields()
    guard !changed.isEmpty else { return nil }
    event.updateMask = changed
    return event
  }
}
