import GRDB
import RPCStatus

extension StatusError {
  /// What clients or users are told when SQLite fails.
  ///
  /// - A full disk is `RESOURCE_EXHAUSTED`: mobile clients keep their writes and try again.
  /// - Other faults are `INTERNAL`, which servers' clients report at once.
  init(_ error: any Error, of path: String) {
    guard let error = error as? DatabaseError else {
      self = error as? StatusError ?? StatusError(.internal, "\(path): \(error)")
      return
    }
    let words = error.message ?? "SQLite's error \(error.resultCode.rawValue)"
    self =
      switch error.resultCode {
      case .SQLITE_FULL:
        StatusError(
          .resourceExhausted,
          "the disk is full, and nothing is written to \(path) until there is room"
        )
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path, words)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_BUSY:
        StatusError(.failedPrecondition, "\(path) can't be used: \(words)")
      default: StatusError(.internal, "\(path) can't be written or read: \(words)")
      }
  }

  /// - Parameter how: what was found.
  static func damaged(_ path: String, _ how: String) -> StatusError {
    StatusError(
      .dataLoss,
      "\(path) is damaged (\(how)): nothing in it was changed; bring back a copy, or name another "
        + "folder"
    )
  }
}
