import Core
import FirestoreModel

/// The operations of administrators on many accounts.
extension AuthenticationService {
  private static let maximumBatch = 1_000

  /// Adds accounts with given IDs, such as those that `batchGet` returned.
  ///
  /// An account that can't be added is in the response's list of errors. The others are added.
  func batchCreate(_ request: AuthenticationRequest) async throws(AuthenticationError) -> JSONObject
  {
    let (time, fields) = (now(), request.fields)
    let users = try fields.objects("users")
    guard !users.isEmpty else { throw .refused("MISSING_USER_ACCOUNT") }
    let overwrites = try fields.boolean("allowOverwrite") ?? false
    let checksAll = try fields.boolean("sanityCheck") ?? false
    try Self.refuseDuplicates(in: users, includesIdentifiers: checksAll)
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      var errors: [JSONValue] = []
      for (index, user) in users.enumerated() {
        do throws(AuthenticationError) {
          let account = try account(user, at: time)
          guard overwrites || edit[account.localId] == nil else {
            throw .refused("localId belongs to an existing account - can not overwrite.")
          }
          if let identifier = edit.conflict(of: account) {
            throw .refused("\(identifier) exists in other account in database")
          }
          edit.set(account)
        } catch {
          errors.append(
            .object(["index": .integer(Int64(index)), "message": .string(error.message)])
          )
        }
      }
      return [
        "kind": .string("identitytoolkit#UploadAccountResponse"), "error": .array(errors),
      ]
    }
  }

  /// Returns the account that a UserInfo describes.
  private func account(
    _ fields: RequestFields,
    at time: Timestamp
  ) throws(AuthenticationError) -> Account {
    var account = try Account(fields: fields)
    try account.check()
    // The emulator can't sign users in whose passwords are hashed: `rawPassword` is for them.
    if let password = try fields.text("rawPassword") {
      account.setPassword(
        NewPassword(password, salt: "fakeSalt" + ids.alphanumeric(20)),
        at: time
      )
    }
    account.createdAt = account.createdAt ?? time.milliseconds
    return account
  }

  /// Throws if two of the accounts have the same ID.
  ///
  /// - Parameter includesIdentifiers: A Boolean value that indicates whether email addresses and
  ///   providers are compared, too.
  private static func refuseDuplicates(
    in users: [RequestFields],
    includesIdentifiers: Bool
  ) throws(AuthenticationError) {
    var known: Set<ByteKey> = []
    func add(_ kind: String, _ text: String?) throws(AuthenticationError) {
      guard let text else { return }
      guard known.insert(ByteKey("\(kind) \(text)")).inserted else {
        throw .refused("DUPLICATE_\(kind) : \(text)")
      }
    }
    for user in users {
      try add("LOCAL_ID", try user.text("localId"))
      guard includesIdentifiers else { continue }
      try add("EMAIL", try user.text("email").map { EmailAddress.canonical($0) })
      for provider in try user.objects("providerUserInfo") {
        guard let id = try provider.text("providerId"), let rawId = try provider.text("rawId"),
          id != Account.passwordProvider, id != Account.phoneProvider
        else { continue }
        try add("RAW_ID", "\(id):\(rawId)")
      }
    }
  }

  /// Deletes accounts. One that isn't disabled is left unless `force` is true.
  func batchDelete(_ request: AuthenticationRequest) async throws(AuthenticationError) -> JSONObject
  {
    let ids = try request.fields.strings("localIds")
    let isForced = try request.fields.boolean("force") ?? false
    guard (1...Self.maximumBatch).contains(ids.count) else {
      throw .refused("LOCAL_ID_LIST_EXCEEDS_LIMIT")
    }
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      var errors: [JSONValue] = []
      for (index, id) in ids.enumerated() {
        guard let account = edit[id] else { continue }
        guard isForced || account.disabled == true else {
          errors.append(
            .object([
              "index": .integer(Int64(index)), "localId": .string(id),
              "message": .string(
                "NOT_DISABLED : Disable the account before batch deletion."
              ),
            ])
          )
          continue
        }
        edit.delete(id)
      }
      return errors.isEmpty ? [:] : ["errors": .array(errors)]
    }
  }
}
