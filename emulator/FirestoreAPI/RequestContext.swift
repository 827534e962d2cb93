package import Authentication
package import Core
package import Cryptography
import FirestoreModel
package import HTTPService
import Store

/// The properties of a request other than its message, such as its caller and its trace.
///
/// Every handler gets a context, both over gRPC and over REST.
package struct RequestContext: Sendable {
  package enum Caller: Sendable {
    /// A server or a tool, to which security rules don't apply. Its token is `owner`, an access
    /// token of Google's OAuth (`ya29.…`), or a token that a service account has signed.
    case admin
    /// A user, with the claims of the user's token.
    case user(UnsignedToken)
    case unauthenticated

    /// Checks that the caller may send requests to a project's databases.
    ///
    /// - Throws: `PERMISSION_DENIED` for a user whose token is for another project. SDKs answer
    ///   `UNAUTHENTICATED` with a new token, and would do so for ever.
    package func check(for project: String) throws(StatusError) {
      guard case .user(let token) = self, token.audience?.hasSameBytes(as: project) != true else {
        return
      }
      throw StatusError(
        .permissionDenied,
        "the user's token is for project \(quoted(token.audience ?? "")), and the database is in "
          + "project \(quoted(project)): the app's projectId must be the emulator's project"
      )
    }
  }

  package var caller: Caller
  /// The W3C trace context.
  package var traceparent: String?
  /// The name of the function on whose port the request arrived, or `nil` for the shared port.
  var function: String?

  package init(caller: Caller, traceparent: String? = nil) {
    self.caller = caller
    self.traceparent = traceparent
  }

  /// Creates the context from a request's headers.
  ///
  /// - Parameters:
  ///   - project: The project whose users' tokens are accepted. If it is a `demo-` project, tokens
  ///     for other `demo-` projects are accepted, too; the databases' project is checked later.
  ///   - accounts: The accounts of the project's users.
  ///   - function: The name of the function on whose port the request arrived, or `nil` for the
  ///     shared port.
  ///   - header: A closure that returns the value of an HTTP header or gRPC metadata field with a
  ///     lower-case name.
  /// - Throws: `INVALID_ARGUMENT` for a malformed token. `UNAUTHENTICATED` for a user's token that
  ///   `AccountStore` refuses, and for a service account's token that has expired or isn't for
  ///   Firestore.
  package init(
    project: String,
    accounts: AccountStore,
    function: String? = nil,
    header: (String) -> String?
  ) throws(StatusError) {
    self.function = function
    traceparent = header("traceparent")
    guard let text = header("authorization")?.bearerToken else {
      caller = .unauthenticated
      return
    }
    if text.isOfAdministrator {
      caller = .admin
      return
    }
    let token = try Self.decoding { () throws(StatusError) in try JSONWebToken(text) }
    if let account = ServiceAccountToken(token) {
      try account.check(
        for: "firestore.googleapis.com",
        scopes: ["datastore", "cloud-platform"],
        now: Timestamp.now.seconds
      )
      caller = .admin
    } else {
      let user = try Self.decoding { () throws(StatusError) in try UnsignedToken(token) }
      try accounts.checkOfAnyDemoProject(user, project: project)
      caller = .user(user)
    }
  }

  /// Decodes a token. An error has the words of Google's emulator, and the reason.
  private static func decoding<Token>(
    _ decode: () throws(StatusError) -> Token
  ) throws(StatusError) -> Token {
    do throws(StatusError) {
      return try decode()
    } catch {
      throw StatusError(.invalidArgument, "invalid jwt: \(error.message)")
    }
  }

  /// The cause of the request's commits.
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

extension FirestoreService {
  /// Returns the context of an HTTP request.
  ///
  /// - Throws: The errors of `RequestContext`.
  package func context(of request: ServiceRequest) throws(StatusError) -> RequestContext {
    try context { request.headers[$0] }
  }

  /// Returns the context of a request with some headers.
  ///
  /// - Parameter header: A closure that returns the value of a header with a lower-case name.
  /// - Throws: The errors of `RequestContext`.
  func context(header: (String) -> String?) throws(StatusError) -> RequestContext {
    try RequestContext(project: project, accounts: accounts, function: function, header: header)
  }
}
