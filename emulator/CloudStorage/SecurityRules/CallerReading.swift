import Authentication
import Core
import Cryptography
import HTTPService
import Rules

/// The reader of the sender of a Firebase SDK's request.
struct CallerReading: Sendable {
  let project: String
  let accounts: AccountStore

  /// Returns the sender of a request: an administrator, a user, or nobody.
  ///
  /// The header is `Authorization: Firebase TOKEN` or `Authorization: Bearer TOKEN`.
  ///
  /// - Throws: An error with the status 401 if the token isn't valid.
  func caller(_ request: ServiceRequest) throws(StorageError) -> StorageCaller {
    guard let header = request.headers["authorization"] else { return .client(.nobody) }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, ["firebase", "bearer"].contains(parts[0].lowercased()) else {
      throw .unauthenticated("the header Authorization is not Firebase or Bearer with a token")
    }
    let text = String(parts[1])
    if text.isOfAdministrator { return .administrator }
    do throws(StatusError) {
      let token = try UnsignedToken(text)
      try accounts.checkOfAnyDemoProject(token, project: project)
      return .client(RulesCaller(uid: token.uid, claims: token.decodedClaims))
    } catch {
      throw .unauthenticated(error.message)
    }
  }
}

extension StorageError {
  fileprivate static func unauthenticated(_ message: String) -> StorageError {
    StorageError(401, "authError", message, code: .unauthenticated)
  }
}
