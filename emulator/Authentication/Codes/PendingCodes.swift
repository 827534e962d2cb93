import Core

/// The codes that wait to be used. If there are too many, the oldest ones are dropped.
struct PendingCodes<Code: Sendable>: Sendable {
  private static var maximumCount: Int { 10_000 }

  private var codes: [ByteKey: Code] = [:]
  /// The keys in the order of their addition, with those of used codes.
  private var order: [ByteKey] = []

  /// The codes, oldest first.
  var all: [Code] { order.compactMap { codes[$0] } }

  subscript(text: String) -> Code? { codes[text] }

  /// Adds a code under the text that a client presents.
  mutating func add(_ code: Code, for text: String) {
    if order.count >= Self.maximumCount {
      for key in order.prefix(Self.maximumCount / 2) { codes[key] = nil }
      order.removeFirst(Self.maximumCount / 2)
    }
    let key = ByteKey(text)
    codes[key] = code
    order.append(key)
  }

  mutating func remove(_ text: String) { codes[text] = nil }

  /// Removes the codes that meet a condition.
  mutating func removeAll(where isObsolete: (Code) -> Bool) {
    codes = codes.filter { !isObsolete($0.value) }
  }
}
