import Core
import Cryptography
import FirestoreModel
import Rules
import Store

extension FirestoreService {
  /// Returns the rights of a request's caller, or `nil` for an administrator, who may do everything.
  func rights(
    _ context: RequestContext,
    in database: DatabaseName,
    _ consistency: ReadConsistency = .latest
  ) throws(StatusError) -> CallerRights? {
    try check(context.caller, in: database)
    let isTransaction = if case .transaction = consistency { true } else { false }
    return context.caller.rights(under: rules, in: database, inTransaction: isTransaction)
  }

  /// Checks that a request's caller is an administrator, or that the database's data is open.
  ///
  /// - Parameter what: What the request does, such as `Batch writes`.
  func requireAdministrator(
    _ context: RequestContext,
    in database: DatabaseName,
    for what: String
  ) throws(StatusError) {
    guard let rights = try rights(context, in: database), try rights.areLimited else { return }
    throw StatusError(.permissionDenied, "\(what) require admin authentication.")
  }
}

extension RequestContext.Caller {
  /// Returns the caller's rights, or `nil` for an administrator, who may do everything.
  func rights(
    under rules: SecurityRules,
    in database: DatabaseName,
    inTransaction: Bool = false
  ) -> CallerRights? {
    rulesCaller.map {
      CallerRights(of: $0, under: rules, in: database, inTransaction: inTransaction)
    }
  }

  /// The caller as rules see it, or `nil` for an administrator.
  var rulesCaller: RulesCaller? {
    switch self {
    case .admin: nil
    case .unauthenticated: .nobody
    case .user(let token): RulesCaller(uid: token.uid, claims: token.decodedClaims)
    }
  }
}
