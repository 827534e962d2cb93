package import Core

extension StatusError {
  /// A Boolean value that indicates whether a commit failed because a document changed after it was
  /// read. If so, read the document again and retry.
  package var isConflict: Bool {
    switch code {
    case .failedPrecondition, .notFound, .alreadyExists, .aborted: fault == .request
    default: false
    }
  }
}
