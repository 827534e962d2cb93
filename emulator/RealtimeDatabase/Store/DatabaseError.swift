package import Core

/// The error of a request to a database.
package enum DatabaseError: Error, Sendable {
  /// The rules don't allow the request.
  case permissionDenied
  /// The present data doesn't fit the condition of a write.
  case stale(Node?)
  case status(StatusError)

  /// Returns the result of a closure, whose error becomes one of the case `status`.
  static func wrapping<Value>(
    _ body: () throws(StatusError) -> Value
  ) throws(DatabaseError) -> Value {
    do throws(StatusError) {
      return try body()
    } catch {
      throw .status(error)
    }
  }
}
