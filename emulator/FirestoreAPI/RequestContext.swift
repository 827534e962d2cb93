package import HTTPService
package import RPCStatus
import Store

/// What a request says beside its message: who asks, and within which trace. Whichever door it
/// came through, every handler is given one; security rules will stand on it.
package struct RequestContext: Sendable {
  package enum Caller: Sendable {
    /// A server or a tool, by the token `owner`: no security rule binds it.
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
  /// - Throws: `INVALID_ARGUMENT` for a token that can't be read, `UNAUTHENTICATED` for one that isn't
  ///   for the project, or where that is none of a demonstration.
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
    if token == "owner" {
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
