import Core
import Testing

struct NearestNameTests {
  private static let names = ["emulators", "firestore", "storage", "live", "demo", "auth", "ui"]

  @Test(arguments: [
    ("firestor", "firestore"), ("Firestore", "firestore"), ("fierstoer", "firestore"),
    ("emulator", "emulators"), ("livee", "live"), ("dmeo", "demo"), ("ath", "auth"), ("u", "ui"),
  ])
  func `a misspelt name finds the name that was meant`(name: String, meant: String) {
    #expect(name.nearest(of: Self.names) == meant)
  }

  @Test(arguments: ["", "nonsense", "lief!", "database", String(repeating: "a", count: 10_000)])
  func `a name that is far from all others finds none`(name: String) {
    #expect(name.nearest(of: Self.names) == nil)
  }

  @Test func `a long known name is compared with short names only`() {
    #expect("a".nearest(of: [String(repeating: "a", count: 10_000), "b"]) == "b")
  }
}
