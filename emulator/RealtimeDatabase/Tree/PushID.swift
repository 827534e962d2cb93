import Core

/// The key of a child that a client adds without naming it: keys that are made later come later.
///
/// A key has eight characters for the time and twelve random ones. Within a millisecond the random
/// part is counted up. Source: NextPushId.ts of Firebase's Web SDK.
struct PushID {
  private static let alphabet = Array(
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8
  )
  private static let randomCount = 12

  private var lastTime: Int64 = -1
  private var digits: [Int] = []

  /// Returns a new key.
  ///
  /// - Parameter now: The time in milliseconds since 1970.
  mutating func next(now: Int64) -> NodeKey {
    if now == lastTime {
      var index = Self.randomCount - 1
      while index > 0, digits[index] == 63 {
        digits[index] = 0
        index -= 1
      }
      digits[index] = min(63, digits[index] + 1)
    } else {
      lastTime = now
      digits = (0..<Self.randomCount).map { _ in Int.random(in: 0..<64) }
    }
    let time = (0..<8).reversed().map { Int(now >> (6 * Int64($0)) & 63) }
    return NodeKey(
      unchecked: String(decoding: (time + digits).map { Self.alphabet[$0] }, as: UTF8.self)
    )
  }
}
