package import Core

/// The sender of a request.
package enum DatabaseCaller: Sendable {
  /// An administrator, for whom no rules hold.
  case administrator
  /// A client, with the value of `auth` in rules: an object, or null if nobody is signed in.
  case client(JSONValue)
}
