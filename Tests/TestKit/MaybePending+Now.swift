package import Core

extension MaybePending {
  /// The result, if the operation is done.
  ///
  /// - Throws: `ABORTED` if the operation has to wait.
  package var now: Success {
    get throws {
      guard case .done(let success) = self else { throw StatusError(.aborted, "has to wait") }
      return success
    }
  }
}
