import Testing

@testable import RealtimeDatabase

@Suite("Keys of the Realtime Database")
struct NodeKeyTests {
  @Test("are ordered as Firebase's SDKs order them")
  func order() {
    let keys = [
      "-2147483648", "-5", "0", "1", "01", "2", "10", "2147483647", "-", "-2147483649",
      "2147483648", "a", "b", "é", "😀", "\u{E000}", "\u{FFFD}",
    ]
    let sorted = keys.shuffled().map { NodeKey(unchecked: $0) }.sorted().map(\.string)
    #expect(sorted == keys)
  }
}
