import Core
import FirestoreModel

/// A time zone's offsets from UTC, read from a file of the time zone database.
///
/// Foundation's own time zones need its internationalization part, which would make the executable
/// several times as large and its start slower.
///
/// Source: RFC 9636.
struct ZoneFile {
  /// The times at which the offset changes, in seconds since 1970.
  private let transitions: [Int64]
  /// The offset in seconds from each transition to the next.
  private let offsets: [Int64]
  /// The offset before the first transition.
  private let firstOffset: Int64
  /// The rule for times after the last transition, or `nil` if the last offset stays.
  private let rule: ZoneRule?

  /// Reads the file of a time zone, such as `Europe/Rome`.
  ///
  /// - Returns: `nil` if the name isn't a time zone's.
  init?(named name: String, in folder: String = "/usr/share/zoneinfo") {
    guard Self.isName(name), let file = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    else { return nil }
    self.init([UInt8](file))
  }

  /// Returns whether a text has the form of a time zone's name.
  ///
  /// Names have no dots, so the path can't leave the folder.
  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "/")
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_-+/".utf8.contains($0)
        }
      }
  }

  /// The numbers of a data block's items.
  private struct Header {
    static let size = 44
    let version: UInt8
    let counts: [Int]

    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count >= Self.size, bytes.starts(with: "TZif".utf8) else { return nil }
      version = bytes[bytes.startIndex + 4]
      counts = (0..<6).map { Int(ZoneFile.number(bytes.dropFirst(20 + 4 * $0).prefix(4))) }
    }

    var times: Int { counts[3] }
    var types: Int { counts[4] }

    /// Returns the size of the data block, whose times have a given size.
    func bodySize(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1]
        + counts[0]
    }
  }

  /// Decodes a file, or returns `nil` if it isn't in the format's version 2 or later.
  init?(_ file: [UInt8]) {
    // The first data block has times of 32 bits, for older programs.
    guard let first = Header(file[...]), first.version >= UInt8(ascii: "2") else { return nil }
    let rest = file.dropFirst(Header.size + first.bodySize(timeSize: 4))
    guard let header = Header(rest) else { return nil }
    let body = rest.dropFirst(Header.size)
    guard header.types > 0, body.count >= header.bodySize(timeSize: 8) else { return nil }
    let indices = body.dropFirst(header.times * 8).prefix(header.times)
    let types = body.dropFirst(header.times * 9)
    guard indices.allSatisfy({ $0 < header.types }) else { return nil }
    func offset(_ type: Int) -> Int64 {
      Int64(Int32(truncatingIfNeeded: Self.number(types.dropFirst(type * 6).prefix(4))))
    }
    transitions = (0..<header.times).map { Self.number(body.dropFirst($0 * 8).prefix(8)) }
    offsets = indices.map { offset(Int($0)) }
    firstOffset = offset(0)
    let footer = body.dropFirst(header.bodySize(timeSize: 8) + 1)
    rule = ZoneRule(Array(footer.prefix { $0 != UInt8(ascii: "\n") }))
  }

  /// Returns a number of several bytes, the most significant one first.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }

  /// Returns the offset from UTC in seconds, positive east of Greenwich.
  func offset(at time: Timestamp) -> Int64 {
    guard let index = transitions.lastIndex(where: { $0 <= time.seconds }) else {
      return transitions.isEmpty ? rule?.offset(at: time) ?? firstOffset : firstOffset
    }
    guard index == transitions.count - 1, let rule else { return offsets[index] }
    return rule.offset(at: time)
  }
}
