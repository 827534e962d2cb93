import Core
package import HTTPService

extension ServiceRequest {
  /// A Boolean value that indicates whether the headers say that the request is a CloudEvent, in
  /// any format.
  package var announcesEvent: Bool {
    headers.keys.contains { $0.hasPrefix("ce-") }
      || headers["content-type"]?.mediaType.hasPrefix(Self.eventType) == true
  }

  /// A Boolean value that indicates whether the content type is that of a single event in
  /// structured mode.
  ///
  /// - Throws: `UNIMPLEMENTED` for a batch, and for a format other than JSON.
  var isStructuredEvent: Bool {
    get throws(StatusError) {
      let type = headers["content-type"]?.mediaType ?? ""
      guard type.hasPrefix(Self.eventType) else { return false }
      guard !type.hasPrefix("\(Self.eventType)-batch") else {
        throw StatusError(
          .unimplemented,
          "a batch of events isn't supported: send one event per request"
        )
      }
      guard [Self.eventType, "\(Self.eventType)+json"].contains(type) else {
        throw StatusError(
          .unimplemented,
          "the event format \(quoted(type)) isn't supported: send JSON"
        )
      }
      return true
    }
  }

  private static let eventType = "application/cloudevents"

  /// Refuses a request that repeats an event's header, since one program may read the first value
  /// and another the last.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the header.
  func refuseRepeatedAttributes() throws(StatusError) {
    try refuseRepeated("content-type")
    guard let name = repeatedHeaders.filter({ $0.hasPrefix("ce-") }).min() else { return }
    try refuseRepeated(name)
  }
}

extension String {
  /// A Boolean value that indicates whether the text has characters that attributes must not have.
  ///
  /// Source: CloudEvents 1.0, type system.
  var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}
