import HTTPService
import JSONCoding
import RPCStatus

extension ServiceRequest {
  /// - Throws: `INVALID_ARGUMENT`, naming it, if a header that tells of an event came twice: each
  ///   reader may take another value.
  func refuseRepeatedAttributes() throws(StatusError) {
    try refuseRepeated("content-type")
    guard let name = repeatedHeaders.filter({ $0.hasPrefix("ce-") }).min() else { return }
    try refuseRepeated(name)
  }
}

extension [String: JSONValue] {
  /// - Throws: `INVALID_ARGUMENT`, naming it, if an attribute of an event has control characters.
  func refuseControlCharacters() throws(StatusError) {
    let faulty = filter { name, value in
      name != "data" && value.string?.hasControlCharacters == true
    }
    guard let name = faulty.keys.min() else { return }
    throw StatusError(.invalidArgument, "the event's \(quoted(name)) has control characters")
  }
}

extension String {
  /// Whether there is one of those that no attribute may have.
  ///
  /// Source: CloudEvents 1.0, type system.
  var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}
