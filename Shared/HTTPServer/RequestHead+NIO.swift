import HTTPService
import NIOHTTP1

extension RequestHead {
  /// The header fields whose values are combined to a list if the field is repeated. Origin allows
  /// only one value, and the combined list matches no allowed origin. So a request with two origins
  /// doesn't pass, even if one of them is allowed.
  private static let lists: Set = ["accept", "access-control-request-headers", "origin"]

  init(_ head: HTTPRequestHead) {
    self.init(
      method: head.method.rawValue,
      target: AbsoluteTarget(head.uri)?.pathAndQuery ?? head.uri
    )
    headers.reserveCapacity(head.headers.count)
    for (name, value) in head.headers { add(name.lowercased(), value.withoutTrailingSpace) }
  }

  private mutating func add(_ name: String, _ value: String) {
    guard name != "host" else {
      authority = authority ?? value
      return
    }
    guard let first = headers[name] else {
      headers[name] = value
      return
    }
    repeatedHeaders.insert(name)
    if Self.lists.contains(name) { headers[name] = "\(first), \(value)" }
  }
}

extension String {
  /// The value without trailing white space, which the parser doesn't remove.
  fileprivate var withoutTrailingSpace: String {
    guard let last = utf8.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") else {
      return self
    }
    return String(self[..<(lastIndex { $0 != " " && $0 != "\t" }.map(index(after:)) ?? startIndex)])
  }
}
