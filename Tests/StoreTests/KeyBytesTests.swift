import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

/// The byte keys of values, which must sort like the values, also in sequences.
struct KeyBytesTests {
  private static let values: [Value] = [
    .null, ["__min__": .null], false, true, .double(.nan), .double(-.infinity),
    .double(-0x1p63), .integer(.min), .integer(.min + 1), .double(-0x1p53 - 2),
    -9_007_199_254_740_993,
    .double(-0x1p53), -2, .double(-1.5), -1, .double(-.leastNonzeroMagnitude), 0, .double(-0.0),
    .double(.leastNonzeroMagnitude), 1, .double(1), .double(1.5), ["__int__": 2],
    ["__decimal128__": "2.5"], 9_007_199_254_740_992, .double(0x1p53), 9_007_199_254_740_993,
    .double(0x1p53 + 2), .integer(.max - 1), .integer(.max), .double(0x1p63), .double(.infinity),
    .timestamp(Timestamp(seconds: -62_135_596_800)), .timestamp(Timestamp(seconds: -1)),
    .timestamp(Timestamp(seconds: 0)), .timestamp(Timestamp(seconds: 0, nanoseconds: 1_000)),
    ["__request_timestamp__": ["seconds": 1, "increment": 2]],
    "", "\u{0}", "\u{0}\u{0}", "\u{0}\u{1}", "\u{1}", "a", "a\u{0}", "a\u{0}b", "ab", "b", "é",
    "\u{FFEE}", "😀",
    .bytes(Data()), .bytes(Data([0])), .bytes(Data([0, 0])), .bytes(Data([0, 255])),
    .bytes(Data([255])),
    ["__binary__": .bytes(Data([1, 2]))],
    reference("a/__id7__"), reference("a/b"), reference("a/b/c/d"), reference("a/b\u{0}"),
    reference("a\u{0}/b"),
    .reference("projects/q/databases/d/documents/a/b"), ["__oid__": "0123456789abcdef01234567"],
    .geoPoint(latitude: -90, longitude: 180), .geoPoint(latitude: 0, longitude: -0.0),
    .geoPoint(latitude: 0, longitude: 1), ["__regex__": ["pattern": "a", "options": "i"]],
    [], [.null], ["", 1], [1], [1, 2], [1, "a"], ["a"], ["a\u{0}"], [[:]], vector(9), vector(1, 2),
    vector(1, 3), [:], ["a": 1], ["a": 1, "b": 0], ["a": 2], ["a": "x"], ["a\u{0}": 1], ["b": 0],
    ["__max__": .null],
  ]

  private static func sign(_ number: Int) -> Int { number.signum() }

  @Test func `keys of values have the order of the values in either direction`() {
    for left in Self.values {
      for right in Self.values {
        let expected = Self.sign(left.compare(to: right))
        #expect(
          Self.sign(KeyBytes(left).compare(to: KeyBytes(right))) == expected,
          "\(left) \(right)"
        )
        var (leftDown, rightDown) = (KeyBytes(), KeyBytes())
        leftDown.appendDescending(KeyBytes(left))
        rightDown.appendDescending(KeyBytes(right))
        #expect(Self.sign(leftDown.compare(to: rightDown)) == -expected, "\(left) \(right)")
      }
    }
  }

  @Test func `the key of one value is never a prefix of another's`() {
    for left in Self.values {
      for right in Self.values where left.compare(to: right) != 0 {
        #expect(!KeyBytes(right).starts(with: KeyBytes(left)), "\(left) \(right)")
      }
    }
  }

  @Test(arguments: 1...8)
  func `keys of several values have the order of the first different value`(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<2_000 {
      let left = (dice.pick(Self.values), dice.pick(Self.values))
      let right = (dice.pick(Self.values), dice.pick(Self.values))
      let first = left.0.compare(to: right.0)
      for isDescending in [false, true] {
        let second = left.1.compare(to: right.1) * (isDescending ? -1 : 1)
        var (leftKey, rightKey) = (KeyBytes(left.0), KeyBytes(right.0))
        if isDescending {
          leftKey.appendDescending(KeyBytes(left.1))
          rightKey.appendDescending(KeyBytes(right.1))
        } else {
          leftKey.append(left.1)
          rightKey.append(right.1)
        }
        #expect(
          Self.sign(leftKey.compare(to: rightKey)) == Self.sign(first != 0 ? first : second),
          "\(left) \(right)"
        )
      }
    }
  }

  @Test func `keys of paths have the order of names, parents before what is below`() throws {
    let paths = try [
      "a/__id-5__", "a/__id9__", "a/__id10__", "a/10", "a/9", "a/B", "a/_", "a/a", "a/a/b/c",
      "a/a/b\u{0}/c", "a/a\u{0}", "a/aa", "a/é", "a\u{0}/a", "aa/a",
    ].map { try ResourcePath($0) }
    for (leftIndex, left) in paths.enumerated() {
      for (rightIndex, right) in paths.enumerated() {
        let expected = Self.sign(leftIndex - rightIndex)
        #expect(
          Self.sign(KeyBytes(left).compare(to: KeyBytes(right))) == expected,
          "\(left) \(right)"
        )
        let isBelow = right.segments.starts(with: left.segments)
        #expect(KeyBytes(right).starts(with: KeyBytes(left)) == isBelow)
      }
    }
  }
}
