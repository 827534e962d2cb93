import Core

/// The operations that find accounts.
extension AuthenticationService {
  /// Returns the account of an ID token or, for administrators, the accounts with certain IDs, email
  /// addresses, phone numbers or linked providers.
  func lookup(_ request: AuthenticationRequest) throws(AuthenticationError) -> JSONObject {
    let accounts: [Account]
    if request.isAdministrator {
      accounts = try find(request.fields)
    } else {
      guard let token = try request.fields.text("idToken") else {
        throw .refused("MISSING_ID_TOKEN")
      }
      accounts = [try store.account(ofIDToken: token, project: project)]
    }
    var body: JSONObject = ["kind": .string("identitytoolkit#GetAccountInfoResponse")]
    // Some SDKs take an empty list for a found user.
    if !accounts.isEmpty { body["users"] = .array(accounts.map(\.json)) }
    return body
  }

  private func find(_ fields: RequestFields) throws(AuthenticationError) -> [Account] {
    guard try fields.strings("initialEmail").isEmpty else {
      throw .unimplemented("Lookup by initialEmail is not implemented.")
    }
    var (accounts, ids): ([Account], Set<ByteKey>) = ([], [])
    func add(_ account: Account?) {
      guard let account, ids.insert(ByteKey(account.localId)).inserted else { return }
      accounts.append(account)
    }
    for id in try fields.strings("localId") { add(store[id]) }
    for email in try fields.strings("email") { add(store.account(email: email)) }
    for number in try fields.strings("phoneNumber") { add(store.account(phoneNumber: number)) }
    for user in try fields.objects("federatedUserId") {
      guard let provider = try user.text("providerId"), let rawId = try user.text("rawId") else {
        continue
      }
      add(store.account(provider: provider, rawId: rawId))
    }
    return accounts
  }

  /// Tells a client how the owner of an email address can sign in.
  func createAuthUri(_ request: AuthenticationRequest) throws(AuthenticationError) -> JSONObject {
    let fields = request.fields
    guard try fields.text("providerId") == nil else {
      throw .unimplemented("Sign-in with IDP is not yet supported.")
    }
    guard let identifier = try fields.text("identifier") else {
      throw .refused("MISSING_IDENTIFIER")
    }
    guard let url = try fields.text("continueUri") else { throw .refused("MISSING_CONTINUE_URI") }
    let email = try EmailAddress.check(identifier, or: "INVALID_IDENTIFIER")
    guard ContinueURL(url) != nil else { throw .refused("INVALID_CONTINUE_URI") }
    var body: JSONObject = [
      "kind": .string("identitytoolkit#CreateAuthUriResponse"),
      "sessionId": .string(try fields.text("sessionId") ?? ids.alphanumeric(27)),
    ]
    guard !store.settings.hidesEmails else { return body }
    let account = store.account(email: email)
    let providers = (account?.providers ?? []).map(\.providerId).filter {
      $0 != Account.phoneProvider
    }
    var methods: [String] = []
    for provider in providers {
      guard provider == Account.passwordProvider else {
        methods.append(provider)
        continue
      }
      if account?.password != nil { methods.append(provider) }
      if account?.emailLinkSignin == true { methods.append("emailLink") }
    }
    body["registered"] = .boolean(account != nil)
    body["allProviders"] = .array(providers.map(JSONValue.string))
    body["signinMethods"] = .array(methods.map(JSONValue.string))
    return body
  }

  /// Returns one page of all accounts, in the order of their IDs.
  func batchGet(_ request: AuthenticationRequest) throws(AuthenticationError) -> JSONObject {
    let asked = try request.fields.integer("maxResults") ?? 0
    let start = try request.fields.text("nextPageToken")
    // As in Firebase's emulator, a negative number is for all accounts.
    let limit = asked < 0 ? Int.max : asked == 0 ? 20 : Int(min(asked, 1_000))
    var accounts = store.accounts(after: start, atMost: limit == .max ? limit : limit + 1)
    var body: JSONObject = ["kind": .string("identitytoolkit#DownloadAccountResponse")]
    if accounts.count > limit {
      accounts.removeLast()
      body["nextPageToken"] = accounts.last.map { .string($0.localId) }
    }
    body["users"] = .array(accounts.map(\.json))
    return body
  }

  /// Returns the number of accounts or all accounts.
  func query(_ request: AuthenticationRequest) throws(AuthenticationError) -> JSONObject {
    let fields = request.fields
    guard try fields.objects("expression").isEmpty else {
      throw .unimplemented("expression is not implemented.")
    }
    guard try fields.boolean("returnUserInfo") != false else {
      return ["recordsCount": .string(String(store.count))]
    }
    guard try fields.integer("limit") ?? 0 == 0 else {
      throw .unimplemented("limit is not implemented.")
    }
    guard try fields.integer("offset") ?? 0 == 0 else {
      throw .unimplemented("offset is not implemented.")
    }
    let sortedBy = try fields.text("sortBy") ?? "USER_ID"
    guard sortedBy == "USER_ID" || sortedBy == "SORT_BY_FIELD_UNSPECIFIED" else {
      throw .unimplemented("Only sorting by USER_ID is implemented.")
    }
    var accounts = store.accounts()
    if try fields.text("order") == "DESC" { accounts.reverse() }
    return [
      "recordsCount": .string(String(accounts.count)), "userInfo": .array(accounts.map(\.json)),
    ]
  }
}
