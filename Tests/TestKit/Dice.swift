/// A reproducible random number generator: the same seed gives the same numbers.
package struct Dice {
  /// The generator's state. Its bits can be used as a random value.
  package private(set) var bits: UInt64

  package init(seed: UInt64) { bits = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  package mutating func number(below bound: Int) -> Int {
    // The algorithm is xorshift64*.
    bits ^= bits >> 12
    bits ^= bits << 25
    bits ^= bits >> 27
    return Int((bits &* 0x2545_F491_4F6C_DD1D) >> 33) % bound
  }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }
}
