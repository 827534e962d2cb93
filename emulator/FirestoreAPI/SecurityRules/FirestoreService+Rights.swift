import Core
import Cryptography
import FirestoreModel
import Rules
import Store

extension FirestoreService {
  /// Returns the rights of a request's caller, or `nil` if the caller may do everything: because
  /// the caller is an administrator, or because the project has no rules.
  func rights(
    _ context: RequestContext,
    in database: DatabaseName,
    _ consistency: ReadConsistency = .latest
  ) throws(StatusError) -> CallerRights? {
    try context.caller.check(for: database.project)
    switch context.caller {
    case .admin: return nil
    case .user, .unauthenticated:
      guard let rules = try rules.rules(of: database.project) else { return nil }
      let isTransaction = if case .transaction = consistency { true } else { false }
      return CallerRights(
        of: context.caller.inRules,
        under: rules,
        in: database,
        inTransaction: isTransaction
      )
    }
  }
}

extension RequestContext.Caller {
  /// The caller as rules see it. An administrator's requests aren't decided by rules.
  var inRules: RulesCaller {
    switch self {
    case .admin, .unauthenticated: .nobody
    case .user(let token): RulesCaller(uid: token.uid, claims: token.decodedClaims)
    }
  }
}
