import Core
import FirestoreModel

/// Sign-in with a code that a phone gets. The emulator sends none: tests and the pages read them.
extension AuthenticationService {
  func sendVerificationCode(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    let number = try PhoneNumber.check(try request.fields.text("phoneNumber") ?? "")
    let verification = PhoneVerification(
      phoneNumber: number,
      sessionInfo: ids.base64URL(226),
      code: ids.digits(6),
      sentAt: now()
    )
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      edit.send(verification)
      return ["sessionInfo": .string(verification.sessionInfo)]
    }
  }

  /// Signs the owner of a phone number in, or links the number with the account of an ID token.
  func signInWithPhoneNumber(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    let (time, fields) = (now(), request.fields)
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      let verification = try verification(fields, in: edit)
      let number = verification.phoneNumber
      var existing = edit.account(phoneNumber: number)
      if let token = try fields.text("idToken") {
        let current = try edit.user(ofIDToken: token, project: project).account
        if edit.isTaken(phoneNumber: number, from: current.localId) {
          guard verification.code != nil else { throw .refused("PHONE_NUMBER_EXISTS") }
          edit.use(verification)
          return temporaryProof(of: number, in: &edit, at: time)
        }
        existing = current
      }
      guard existing?.disabled != true else { throw .refused("USER_DISABLED") }
      edit.use(verification)
      var account = existing ?? newAccount(in: edit, at: time)
      account.phoneNumber = number
      account.lastLoginAt = time.milliseconds
      let tokens = try issuer.issueTokens(
        for: &account,
        provider: Account.phoneProvider,
        in: &edit,
        at: time
      )
      let body: JSONObject = [
        "localId": .string(account.localId), "phoneNumber": .string(number),
        "isNewUser": .boolean(existing == nil),
      ]
      return body.merging(tokens) { $1 }
    }
  }

  /// Returns the response for a number of another account. With the proof in it, the client can
  /// sign in to that account without another code.
  private func temporaryProof(
    of number: String,
    in edit: inout AccountEdit,
    at time: Timestamp
  ) -> JSONObject {
    let proof = PhoneVerification(
      phoneNumber: number,
      sessionInfo: ids.base64URL(119),
      code: nil,
      sentAt: time
    )
    edit.send(proof)
    return [
      "phoneNumber": .string(number), "temporaryProof": .string(proof.sessionInfo),
      "temporaryProofExpiresIn": .string(String(TokenIssuer.lifetime)),
    ]
  }

  /// Returns the verification that a request completes.
  private func verification(
    _ fields: RequestFields,
    in edit: AccountEdit
  ) throws(AuthenticationError) -> PhoneVerification {
    if let proof = try fields.text("temporaryProof") {
      guard let number = try fields.text("phoneNumber") else {
        throw .refused("MISSING_PHONE_NUMBER")
      }
      guard let verification = edit.verification(proof), verification.code == nil,
        verification.phoneNumber.hasSameBytes(as: number)
      else { throw .refused("INVALID_TEMPORARY_PROOF") }
      return verification
    }
    guard let session = try fields.text("sessionInfo") else {
      throw .refused("MISSING_SESSION_INFO")
    }
    guard let code = try fields.text("code") else { throw .refused("MISSING_CODE") }
    guard let verification = edit.verification(session), let sent = verification.code else {
      throw .refused("INVALID_SESSION_INFO")
    }
    guard sent.hasSameBytes(as: code) else { throw .refused("INVALID_CODE") }
    return verification
  }
}
