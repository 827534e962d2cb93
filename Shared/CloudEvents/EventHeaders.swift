import Core
package import HTTPService

extension ServiceRequest {
  /// Whether the headers say that this is an event, in whatever form.
  package var announcesEvent: Bool {
    headers.keys.contains { $0.hasPrefix("ce-") }
      || headers["content-type"]?.mediaType.hasPrefix(Self.eventType) == true
  }

  /// Whether the content type says that the body is one event.
  ///
  /// - Throws: `UNIMPLEMENTED` for several, and for one in another form than JSON.
  var isStructuredEvent: Bool {
    get throws(StatusError) {
      let type = headers["content-type"]?.mediaType ?? ""
      guard type.hasPrefix(Self.eventType) else { return false }
      guard !type.hasPrefix("\(Self.eventType)-batch") else {
        throw StatusError(.unimplemented, "a batch of events isn't taken; send them one by one")
      }
      guard [Self.eventType, "\(Self.eventType)+json"].contains(type) else {
        throw StatusError(.unimplemented, "events as \(quoted(type)) aren't taken; send JSON")
      }
      return true
    }
  }

  private static let eventType = "application/cloudevents"

  /// - Throws: `INVALID_ARGUMENT`, naming it, if a header that tells of an event came twice: each
  ///   reader may take another value.
  func refuseRepeatedAttributes() throws(StatusError) {
    try refuseRepeated("content-type")
    guard let name = repeatedHeaders.filter({ $0.hasPrefix("ce-") }).min() else { return }
    try refuseRepeated(name)
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
