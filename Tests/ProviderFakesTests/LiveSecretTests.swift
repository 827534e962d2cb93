import Core
import ProviderFakes
import Testing

struct LiveSecretTests {
  /// The secrets, each in two parts. If they were whole, secret scanners would report this file.
  static let secrets: [(prefix: String, rest: String, name: String)] = [
    ("eyJ", "hbGciOiJSUzI1NiJ9.eyJzdWIiOiJzYXJhaCJ9.c2lnbmF0dXJl", "JSON Web Token"),
    ("sk-", "proj-abcdefghijklmnop1234", "language model"),
    ("AIza", String(repeating: "x", count: 35), "Google API key"),
    ("ya29.", "a0AfH6SMBabcdefghij", "access token"),
    ("github_pat_", "11ABCDEFG0abcdefghijkl_mnop", "GitHub"),
    ("abc:APA91b", String(repeating: "y", count: 120), "FCM token"),
    ("-----BEGIN PRIVATE", " KEY-----", "private key"),
  ]

  @Test(arguments: secrets)
  func `a secret is found and named`(prefix: String, rest: String, name: String) throws {
    let text = prefix + rest
    let found = try #require(LiveSecret.first(in: Data(#"{"a":"\#(text)"}"#.utf8)))
    #expect(found.description.contains(name))
  }

  @Test(arguments: [
    "I sk-ip the task-force-meeting-of-tomorrow", "eyJ is no token. It ends. Here.", "ya29.",
    "marco-phone", "AIzaShort",
  ])
  func `ordinary text isn't a secret`(text: String) {
    #expect(LiveSecret.first(in: Data(text.utf8)) == nil)
  }
}
