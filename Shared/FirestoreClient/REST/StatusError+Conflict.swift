package import Core

extension StatusError {
  /// Whether a commit failed because a document isn't as it was read: read again and retry.
  package var isConflict: Bool {
    switch code {
    case .failedPrecondition, .notFound, .alreadyExists, .aborted: fault == .request
    default: false
    }
  }
}
