/// The size limits of an event's attributes.
package enum EventAttribute {
  /// The limit in bytes of an ID, a type and other attributes that don't name a resource. It is the
  /// same as in Pub/Sub.
  package static let maximumBytes = 1_024

  /// The limit in bytes of a resource's name. The longest names are paths in a Realtime Database,
  /// with up to 32 keys of up to 768 bytes.
  ///
  /// Source: <https://firebase.google.com/docs/database/usage/limits>.
  package static let maximumNameBytes = 32 * 1_024

  /// Returns the limit of a CloudEvent's attribute in bytes.
  package static func maximumBytes(of name: String) -> Int {
    ["subject", "document", "ref"].contains(name) ? maximumNameBytes : maximumBytes
  }
}

extension KeyedDecodingContainer {
  /// Decodes an attribute.
  ///
  /// - Throws: `DecodingError`, naming the field, if the value isn't a string or is longer than the
  ///   attribute's limit.
  func decodeAttribute(forKey key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    let maximumBytes = EventAttribute.maximumBytes(of: key.stringValue)
    guard text.utf8.count <= maximumBytes else {
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: self,
        debugDescription: "longer than \(maximumBytes) bytes"
      )
    }
    return text
  }

  /// Decodes an attribute that may be absent or null.
  func decodeAttributeIfPresent(forKey key: Key) throws -> String? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try decodeAttribute(forKey: key)
  }
}
