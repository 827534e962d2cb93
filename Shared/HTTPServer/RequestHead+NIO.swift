import HTTPService
import NIOHTTP1

extension RequestHead {
  init(_ head: HTTPRequestHead) {
    self.init(method: head.method.rawValue, target: head.uri)
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
    if name == "accept" { headers[name] = "\(first), \(value)" }
  }
}

extension String {
  /// The parser leaves what stands behind a value.
  fileprivate var withoutTrailingSpace: String {
    guard let last = utf8.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") else {
      return self
    }
    return String(self[..<(lastIndex { $0 != " " && $0 != "\t" }.map(index(after:)) ?? startIndex)])
  }
}
