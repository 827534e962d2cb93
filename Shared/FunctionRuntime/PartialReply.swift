package import Core

/// What a worker tells of a result before it is whole: `{"eventId":"…","partial":{…}}`.
package struct PartialReply: Sendable {
  package var eventID: String
  package var partial: any Encodable & Sendable

  private struct Line<Partial: Encodable>: Encodable {
    var eventId: String
    var partial: Partial
  }

  /// Without a line feed; nil if it can't be encoded.
  package var line: Data? {
    func encode(_ partial: some Encodable) -> Data? {
      try? JSON.encode(Line(eventId: eventID, partial: partial))
    }
    return encode(partial)
  }
}
