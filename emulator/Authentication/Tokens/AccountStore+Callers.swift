package import Core
package import Cryptography

extension AccountStore {
  /// Checks that another service, such as Firestore, accepts a user's ID token.
  ///
  /// Anybody can make an unsigned token. So its user must have an account, or the project must be a
  /// `demo-` project. As in production, these services accept a token until it expires, even if its
  /// user is disabled or deleted meanwhile.
  ///
  /// - Parameter project: The emulator's project.
  /// - Throws: `UNAUTHENTICATED` if the token is for another project or has expired, or if its user
  ///   has no account and the project isn't a `demo-` project.
  package func check(_ token: UnsignedToken, project: String) throws(StatusError) {
    guard project.hasPrefix("demo-") || self[token.uid] != nil else {
      throw StatusError(
        .unauthenticated,
        "the token's user has no account in this emulator, and unsigned tokens of others are only "
          + "for projects that begin with demo-; `serve` accepts verified tokens"
      )
    }
    guard token.audience?.hasSameBytes(as: project) == true else {
      throw StatusError(.unauthenticated, "the token is not for project \(quoted(project))")
    }
    guard token.issuedAt ?? 0 >= expiryHorizon else {
      throw StatusError(.unauthenticated, "the token has expired")
    }
  }

  /// Checks that another service accepts a user's ID token, as `check` does, or that both projects
  /// are `demo-` projects: tests of rules have projects of their own, in which nobody has an account.
  package func checkOfAnyDemoProject(_ token: UnsignedToken, project: String) throws(StatusError) {
    let audience = token.audience ?? ""
    let isOfTest = project.hasPrefix("demo-") && audience.hasPrefix("demo-")
    if !isOfTest || audience.hasSameBytes(as: project) { try check(token, project: project) }
  }
}
