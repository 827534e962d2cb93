import Core
import GRDB

extension StatusError {
  /// Creates the error that clients or users get when SQLite fails.
  ///
  /// - A full disk is `RESOURCE_EXHAUSTED`. After this error, mobile clients keep their writes and
  ///   retry them.
  /// - A damaged file is `DATA_LOSS`, and a file that can't be opened is `FAILED_PRECONDITION`.
  /// - Other failures are `INTERNAL`, which server SDKs report at once.
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
          "the disk is full: nothing is written to \(path) until there is space"
        )
      // The statements are constant, so an SQL error means that the file has other tables than the
      // emulator's.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR: .damaged(path, words)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_BUSY:
        StatusError(.failedPrecondition, "\(path) can't be used: \(words)")
      default: StatusError(.internal, "\(path) can't be written or read: \(words)")
      }
  }

  /// Returns the error for a damaged file.
  ///
  /// - Parameter how: The damage that was found.
  static func damaged(_ path: String, _ how: String) -> StatusError {
    StatusError(
      .dataLoss,
      "\(path) is damaged (\(how)) and was not changed: restore a copy, or name another folder"
    )
  }
}

extension Row {
  /// Returns a column's value.
  ///
  /// SQLite allows any type in any column, so a damaged file may contain another type.
  ///
  /// - Throws: `DATA_LOSS` if the value has another type.
  func value<Value: DatabaseValueConvertible>(_ column: Int, of path: String) throws -> Value {
    let value: DatabaseValue = self[column]
    guard let value = Value.fromDatabaseValue(value) else {
      throw StatusError.damaged(path, "a value has the wrong type")
    }
    return value
  }
}
