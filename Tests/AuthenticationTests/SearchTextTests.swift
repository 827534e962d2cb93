import Testing

@testable import Authentication

struct SearchTextTests {
  private let account: Account = {
    var account = Account(localId: "aaabaaac")
    account.email = "sarah@example.com"
    account.displayName = "Zoë ΆΡΚΟ 李小龙"
    account.phoneNumber = "+390555550100"
    return account
  }()

  @Test(
    arguments: [
      "aaac", "aab", "aaabaaac", "A", "SARAH@", "zOË", "άρκο", "小龙", "555550", "0100", " ",
    ]
  )
  func `a part of a field is found in any case`(text: String) {
    #expect(SearchText(text).isIn(account))
  }

  @Test(arguments: ["aaaa", "aaabaaacs", "sarah@example.comz", "zoe", "+39055555010 "])
  func `anything else isn't found`(text: String) { #expect(!SearchText(text).isIn(account)) }
}
