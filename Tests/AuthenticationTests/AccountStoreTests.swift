import Core
import Cryptography
import FirestoreModel
import Testing

@testable import Authentication

/// The accounts in memory: their indexes, and the changes of one operation.
struct AccountStoreTests {
  private func account(_ id: String, email: String? = nil, phone: String? = nil) -> Account {
    var account = Account(localId: id)
    account.email = email
    account.phoneNumber = phone
    return account
  }

  @Test func `an address belongs to the account that has it now`() async throws {
    let store = AccountStore()
    try await store.write { edit throws(AuthenticationError) in
      edit.set(account("a", email: "x@y.z", phone: "+1"))
      edit.set(account("b", email: "b@y.z"))
      #expect(edit.account(email: "x@y.z")?.localId == "a")
    }
    // In one operation, the accounts exchange an address, and the first one is deleted.
    try await store.write { edit throws(AuthenticationError) in
      edit.set(account("a", email: "b@y.z", phone: "+1"))
      edit.set(account("b", email: "x@y.z"))
      #expect(edit.account(email: "x@y.z")?.localId == "b")
      edit.delete("a")
      #expect(edit["a"] == nil)
      #expect(edit.account(email: "b@y.z") == nil)
      #expect(edit.account(phoneNumber: "+1") == nil)
    }
    #expect(store.count == 1)
    #expect(store.account(email: "X@Y.Z")?.localId == "b")
    #expect(store.account(email: "b@y.z") == nil)
    #expect(store.account(phoneNumber: "+1") == nil)
  }

  @Test func `an operation that fails changes nothing`() async throws {
    let store = AccountStore()
    await #expect(throws: AuthenticationError.refused("EMAIL_EXISTS")) {
      try await store.write { edit throws(AuthenticationError) in
        edit.set(account("a", email: "x@y.z"))
        throw .refused("EMAIL_EXISTS")
      }
    }
    #expect(store.count == 0 && store.account(email: "x@y.z") == nil)
  }

  /// A journal on a full disk.
  private struct FullDisk: AccountJournal {
    func record(_ changes: [AccountChange]) async throws(StatusError) {
      throw StatusError(.resourceExhausted, "the disk is full")
    }
  }

  @Test func `a change that can't be recorded isn't made`() async throws {
    let store = AccountStore(journal: FullDisk())
    let error = await #expect(throws: AuthenticationError.self) {
      try await store.write { edit throws(AuthenticationError) in edit.set(account("a")) }
    }
    #expect(error?.httpStatus == 429 && error?.message == "the disk is full")
    #expect(store.count == 0)
  }

  @Test func `old codes are dropped when there are too many`() {
    var codes = PendingCodes<Int>()
    for number in 0..<25_000 { codes.add(number, for: "\(number)") }
    #expect(codes.all.count <= 10_000)
    #expect(codes["24999"] == 24_999 && codes["0"] == nil)
    codes.remove("24999")
    #expect(codes["24999"] == nil && codes.all.last == 24_998)
  }

  @Test(
    arguments: [
      ("demo-p", "known", "demo-p", nil), ("demo-p", "stranger", "demo-p", nil),
      ("demo-p", "known", "demo-q", "not for project"), ("real", "known", "real", nil),
      ("real", "stranger", "real", "has no account"),
      ("real", "known", "demo-q", "not for project"),
    ] as [(String, String, String, String?)]
  )
  func `other services accept tokens of users with an account, and of anybody in demo projects`(
    project: String,
    uid: String,
    audience: String,
    refusal: String?
  ) async throws {
    let store = AccountStore(AccountContents(accounts: [account("known")]))
    let token = try UnsignedToken(UnsignedToken.encode(uid: uid, project: audience, now: 100))
    do throws(StatusError) {
      try store.check(token, project: project)
      #expect(refusal == nil)
    } catch {
      #expect(error.code == .unauthenticated && error.message.contains(refusal ?? "?"))
    }
  }

  @Test func `expired tokens are refused, and later ones are accepted`() throws {
    let store = AccountStore()
    func check(_ time: Int64) throws {
      try store.check(
        UnsignedToken(UnsignedToken.encode(uid: "a", project: "demo-p", now: time)),
        project: "demo-p"
      )
    }
    store.expireIDTokens(at: 100)
    #expect(throws: StatusError(.unauthenticated, "the token has expired")) { try check(100) }
    try check(101)
  }
}
