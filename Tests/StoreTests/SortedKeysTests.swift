import Core
import TestKit
import Testing

@testable import Store

/// Keys in leaves of limited size, compared with a sorted array.
struct SortedKeysTests {
  @Test func `keys stay in order, however they are added and removed`() {
    var dice = Dice(seed: 27)
    var keys = SortedKeys()
    var expected: Set<ByteKey> = []
    for step in 0..<20_000 {
      let key = ByteKey(String(dice.number(below: 3_000)))
      // First mostly additions, later mostly removals.
      if dice.number(below: 20_000) > step {
        keys.insert(key)
        expected.insert(key)
      } else {
        keys.remove(key)
        expected.remove(key)
      }
      guard step.isMultiple(of: 500) else { continue }
      let sorted = expected.sorted()
      #expect(keys.keys(after: nil, atMost: .max) == sorted)
      let start = ByteKey(String(dice.number(below: 3_000)))
      #expect(keys.keys(after: start, atMost: 7) == Array(sorted.filter { $0 > start }.prefix(7)))
    }
  }

  @Test func `an empty set has no keys`() {
    var keys = SortedKeys()
    keys.remove(ByteKey("a"))
    #expect(keys.keys(after: nil, atMost: 5).isEmpty)
    #expect(keys.keys(after: ByteKey("a"), atMost: 5).isEmpty)
    keys.insert(ByteKey("a"))
    keys.insert(ByteKey("a"))
    #expect(keys.keys(after: nil, atMost: 5) == [ByteKey("a")])
    #expect(keys.keys(after: nil, atMost: 0).isEmpty)
  }
}
