import Core
import FirestoreModel
import Testing

@testable import Authentication

/// Accounts in the form in which the journal and exports have them.
struct AccountRecordsTests {
  private let json = #"""
    {"localId":"a","email":"a@b.c","emailVerified":true,"displayName":"Ann","photoUrl":"http://x/y",
    "phoneNumber":"+15555550100","disabled":true,"passwordHash":"fakeHash:salt=s:password=p",
    "salt":"s","passwordUpdatedAt":1795561359123,"validSince":"1795561359",
    "createdAt":"1795561359123","lastLoginAt":"1795561359124",
    "lastRefreshAt":"2026-11-24T23:02:39.123Z","customAttributes":"{\"role\":\"admin\"}",
    "customAuth":true,"initialEmail":"old@b.c","providerUserInfo":[
    {"providerId":"password","rawId":"a@b.c","federatedId":"a@b.c","email":"a@b.c",
    "displayName":"Ann","photoUrl":"http://x/y"},
    {"providerId":"phone","rawId":"+15555550100","phoneNumber":"+15555550100"},
    {"providerId":"google.com","rawId":"g","federatedId":"https://accounts.google.com/g"}]}
    """#

  @Test func `an account has the same fields after it is written and read`() throws {
    let value = try JSONValue(parsing: Data(json.utf8))
    #expect(try Account(json: value).json == value)
  }

  @Test func `an account without some fields gets no others`() throws {
    let json = JSONValue.object(["localId": .string("a")])
    #expect(try Account(json: json).json == json)
  }

  @Test func `records of other components and projects are left, and a damaged one is named`()
    throws
  {
    let settings = AuthenticationSettings()
    let records = [
      "account/p/a": Data(json.utf8), "delivery/x": Data("{".utf8),
      "account/q/b": Data(json.utf8),
      "authenticationSettings/p": try JSON.encode(settings.json),
    ]
    let contents = try AccountContents(records: records, of: "p")
    #expect(contents.accounts.map(\.localId) == ["a"] && contents.settings == settings)
    let error = #expect(throws: StatusError.self) {
      try AccountContents(records: ["account/p/b": Data("{".utf8)], of: "p")
    }
    #expect(error?.code == .dataLoss && error?.message.contains("account/p/b") == true)
  }
}
