package import Core

/// The sender of a request.
package enum DatabaseCaller: Sendable {
  /// An administrator, for whom no rules hold.
  case administrator
  /// A client, with the value of `auth` in rules: an object, or null if nobody is signed in.
  case client(JSONValue)

  /// A Boolean value that indicates whether the client has an ID token, which expires.
  var hasIDToken: Bool { if case .client(let auth) = self { auth["token"] != nil } else { false } }
}
