package import Core
import Rules

/// Who asks.
package enum DatabaseCaller: Sendable {
  /// An administrator, for whom no rules hold.
  case administrator
  /// A client, with the value of `auth` in rules: an object, or null if nobody is signed in.
  case client(JSONValue)
}

/// An answer that isn't the requested one.
package enum DatabaseError: Error, Sendable {
  /// The rules don't allow the request.
  case permissionDenied
  /// The present data doesn't fit the condition of a write.
  case stale(Node?)
  case status(StatusError)
}
