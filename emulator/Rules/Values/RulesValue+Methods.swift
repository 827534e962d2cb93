extension RulesValue {
  /// Throws if the value has no method of a name.
  ///
  /// Google's emulator looks for the method before it evaluates the arguments.
  func requireMethod(_ name: String) throws(EvaluationError) {
    switch self {
    case .null: throw .nullValue
    case .constraint: return
    default:
      guard Signatures.methods["\(typeName).\(name)"] != nil else {
        throw .functionNotFound(name)
      }
    }
  }
}
