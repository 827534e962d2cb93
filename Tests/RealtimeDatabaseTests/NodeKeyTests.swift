import Testing

@testable import RealtimeDatabase

@Suite("Keys of the Realtime Database")
struct NodeKeyTests {
  @Test("are ordered as Firebase's SDKs order them")
  func order() {
    let keys = [
      "-2147483648", "-5", "0", "-0", "00", "-00", "000", "1", "01", "2", "10", "2147483647", "-",
      "-2147483649",
      "2147483648", "a", "b", "é", "😀", "\u{E000}", "\u{FFFD}",
    ]
    let sorted = keys.shuffled().map { NodeKey(unchecked: $0) }.sorted().map(\.string)
    #expect(sorted == keys)
  }

  @Test("without a sign and leading zeros are indexes of lists")
  func indexes() {
    let indexes = ["0", "7", "10", "-0", "00", "-1", "01", "a"].map {
      NodeKey(unchecked: $0).listIndex
    }
    #expect(indexes == [0, 7, 10, nil, nil, nil, nil, nil])
  }
}
