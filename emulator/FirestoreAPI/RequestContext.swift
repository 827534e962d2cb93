package import Core
import Cryptography
import FirestoreModel
package import HTTPService
import Store

/// What a request says beside its message: who asks, and within which trace. Whichever door it
/// came through, every handler is given one; security rules will stand on it.
package struct RequestContext: Sendable {
  package enum Caller: Sendable {
    /// A server or a tool, which no security rule binds: by the token `owner`, by an access token of
    /// Google's OAuth (`ya29.…`), or by a token that a service account has signed for itself.
    case admin
    /// A user, with the claims of their token.
    case user(UnsignedToken)
    case unauthenticated
  }

  package var caller: Caller
  /// W3C trace context.
  package var traceparent: String?
  /// The function at whose address the request came in; nil at everybody's.
  var function: String?

  package init(caller: Caller, traceparent: String? = nil) {
    self.caller = caller
    self.traceparent = traceparent
  }

  /// - Parameters:
  ///   - project: the one whose users may ask.
  ///   - function: at whose address the request came in; nil for everybody's.
  ///   - header: finds one of HTTP's headers, or of gRPC's metadata, by its name in lower case.
  /// - Throws: `INVALID_ARGUMENT` for a token that can't be read; `UNAUTHENTICATED` for a user's that
  ///   isn't for the project, or where that is none of a demonstration, and for a service account's
  ///   that isn't for Firestore or has expired.
  package init(
    project: String,
    function: String? = nil,
    header: (String) -> String?
  ) throws(StatusError) {
    self.function = function
    traceparent = header("traceparent")
    guard let token = header("authorization")?.bearerToken else {
      caller = .unauthenticated
      return
    }
    if token.isOfAdministrator {
      caller = .admin
      return
    }
    guard let token = try? JSONWebToken(token) else {
      throw StatusError(.invalidArgument, "invalid jwt")
    }
    if let account = ServiceAccountToken(token) {
      try account.check(
        for: "firestore.googleapis.com",
        scopes: ["datastore", "cloud-platform"],
        now: Timestamp.now.seconds
      )
      caller = .admin
    } else if let user = try? UnsignedToken(token) {
      try user.checkProject(project)
      caller = .user(user)
    } else {
      throw StatusError(.invalidArgument, "invalid jwt")
    }
  }

  /// What a commit tells those who react to it.
  var cause: CommitCause {
    let caller: CommitCause.Caller =
      switch caller {
      case .admin: .admin
      case .user(let token): .user(uid: token.uid)
      case .unauthenticated: .unauthenticated
      }
    return CommitCause(traceparent: traceparent, caller: caller, function: function)
  }
}

extension String {
  /// A Boolean value that indicates whether a bearer token is `owner` or begins with `ya29.`, in any
  /// case, as Google's emulator has it.
  fileprivate var isOfAdministrator: Bool {
    let start = String(decoding: utf8.prefix(5), as: UTF8.self).lowercased()
    return start == "ya29." || (start == "owner" && utf8.count == 5)
  }
}
