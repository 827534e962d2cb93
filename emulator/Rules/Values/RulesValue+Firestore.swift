package import FirestoreModel

extension RulesValue {
  /// Creates the value of a document's field.
  package init(_ value: Value) { fatalError() }
}
