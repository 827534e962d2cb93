extension Links {
  /// Links that may be repeated.
  package struct Known: Sendable {
    private let links: Set<String>
    /// What of the numbers' digits is long enough to call.
    private let digits: Set<Substring>

    /// - Parameter links: as `found(in:)` has them.
    package init(_ links: Set<String>) {
      self.links = links
      digits = Set(links.filter(Self.isNumber).flatMap(Self.runs))
    }

    /// Whether all of these are known. A number is if its digits are part of one that is, or
    /// contain it: people leave out a country's prefix, and models a room's.
    package func contains(_ others: Set<String>) -> Bool {
      others.allSatisfy { other in
        links.contains(other) || Self.isNumber(other) && isKnown(other)
      }
    }

    private func isKnown(_ number: String) -> Bool {
      digits.contains(number[...])
        || Self.runs(of: number).contains { links.contains(String($0)) }
    }

    private static func isNumber(_ link: String) -> Bool {
      link.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// No telephone number has more digits than these, with two times beside it.
    private static let maximumDigits = 24
    private static let minimumDigits = 7

    /// Every run of seven digits or more; none of what is too long for a number.
    private static func runs(of number: String) -> [Substring] {
      let count = number.utf8.count
      guard (minimumDigits...maximumDigits).contains(count) else { return [] }
      return (0...(count - minimumDigits)).flatMap { start in
        (minimumDigits...(count - start)).map { number.dropFirst(start).prefix($0) }
      }
    }
  }
}
