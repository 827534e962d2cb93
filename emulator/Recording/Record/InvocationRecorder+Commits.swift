package import Store

extension InvocationRecorder: CommitObserver {
  /// Records the documents that a function changes without reading them: a replay needs them, too.
  package func prepare(_ commit: Commit) -> (any CommitEvents)? {
    guard isRecording, let traceparent = commit.cause.traceparent else { return nil }
    return RecordedCommit(commit: commit, traceparent: traceparent, recorder: self)
  }
}

/// A commit that may belong to a recorded invocation.
private struct RecordedCommit: CommitEvents {
  let commit: Commit
  let traceparent: String
  let recorder: InvocationRecorder

  func publish() { recorder.change(traceparent) { $0.commit(commit) } }
}
