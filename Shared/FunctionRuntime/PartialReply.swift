package import Core

/// A partial result, which a worker prints as a line before its result:
/// `{"eventId":"…","partial":{…}}`.
package struct PartialReply: Sendable {
  package var eventID: String
  package var partial: any Encodable & Sendable

  private struct Line<Partial: Encodable>: Encodable {
    var eventId: String
    var partial: Partial
  }

  /// The line without its line feed, or `nil` if the partial result can't be encoded.
  package var line: Data? {
    func encode(_ partial: some Encodable) -> Data? {
      try? JSON.encode(Line(eventId: eventID, partial: partial))
    }
    return encode(partial)
  }
}
