import Core
import FirestoreModel
import FunctionRuntime
import Store

/// A trigger of one of our functions as Google's Firestore emulator knows it: the function's name
/// and which of its triggers, `translateMessage-0`.
struct AttachedTrigger: CustomStringConvertible {
  var function: String
  var index: Int

  init(function: String, index: Int) {
    self.function = function
    self.index = index
  }

  /// - Throws: `NOT_FOUND` for a key of another form.
  init(key: String) throws(StatusError) {
    guard let hyphen = key.lastIndex(of: "-"), let index = Int(key[key.index(after: hyphen)...])
    else { throw StatusError(.notFound, "there is no trigger \(quoted(key))") }
    self.init(function: String(key[..<hyphen]), index: index)
  }

  var description: String { "\(function)-\(index)" }
}

extension DocumentEvent {
  /// What production would have sent where Google's emulator sent this; nil if nothing, because
  /// no field changed.
  ///
  /// Its time is that of the delivery in whole seconds, and its update mask is empty.
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
