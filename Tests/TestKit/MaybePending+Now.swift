package import Core

extension MaybePending {
  /// The result of an operation that doesn't have to wait.
  ///
  /// - Throws: `ABORTED` if it has to.
  package var now: Success {
    get throws {
      guard case .done(let success) = self else { throw StatusError(.aborted, "has to wait") }
      return success
    }
  }
}
