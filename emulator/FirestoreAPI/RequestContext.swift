package import Core
package import Cryptography
import FirestoreModel
import HTTPService
import Store

/// The data of a request beside its message: its caller, and its trace.
///
/// Every handler gets one, over gRPC and REST alike. Security rules will use it.
package struct RequestContext: Sendable {
  package enum Caller: Sendable {
    /// A server or a tool, which no security rule binds. Its token is `owner`, an access token of
    /// Google's OAuth (`ya29.…`), or one that a service account has signed itself.
    case admin
    /// A user, with the claims of the user's token.
    case user(UnsignedToken)
    case unauthenticated
  }

  package var caller: Caller
  /// The W3C trace context.
  package var traceparent: String?
  /// The function whose own address received the request, or `nil` for the shared address.
  var function: String?

  package init(caller: Caller, traceparent: String? = nil) {
    self.caller = caller
    self.traceparent = traceparent
  }

  /// Reads the context from a request's headers.
  ///
  /// - Parameters:
  ///   - project: The project whose users may call.
  ///   - function: The function whose own address received the request, or `nil` for the shared
  ///     address.
  ///   - header: A closure that returns an HTTP header, or a field of gRPC's metadata, by its
  ///     lower-case name.
  /// - Throws: `INVALID_ARGUMENT` for a token that can't be read; `UNAUTHENTICATED` for a user's
  ///   token if it is for another project, or if the project is no demo project, and for a service
  ///   account's token that has expired or isn't for Firestore.
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

  /// The cause that a commit passes on to its observers.
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
  /// A Boolean value that indicates whether a bearer token is `owner` or begins with `ya29.`.
  ///
  /// The case doesn't matter, as in Google's emulator.
  fileprivate var isOfAdministrator: Bool {
    let start = String(decoding: utf8.prefix(5), as: UTF8.self).lowercased()
    return start == "ya29." || (start == "owner" && utf8.count == 5)
  }
}
