/// The bounds of an event's attributes, which are compared before anyone knows whose they are.
package enum EventAttribute {
  /// The bound of an id, a type and other attributes that name no resource. It is that of Pub/Sub.
  package static let maximumBytes = 1_024

  /// The bound of a resource's name. The longest is a path in a Realtime Database: 32 keys of 768 bytes.
  ///
  /// Source: <https://firebase.google.com/docs/database/usage/limits>.
  package static let maximumNameBytes = 32 * 1_024

  /// The bound of a CloudEvent's attribute, in bytes.
  package static func maximumBytes(of name: String) -> Int {
    ["subject", "document", "ref"].contains(name) ? maximumNameBytes : maximumBytes
  }
}

extension KeyedDecodingContainer {
  /// Decodes an attribute that is no resource's name.
  ///
  /// - Throws: `DecodingError`, naming the member, for a text of over 1,024 bytes as well.
  func decodeAttribute(forKey key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard text.utf8.count <= EventAttribute.maximumBytes else {
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: self,
        debugDescription: "longer than \(EventAttribute.maximumBytes) bytes"
      )
    }
    return text
  }

  /// The same of a member that may be absent or null.
  func decodeAttributeIfPresent(forKey key: Key) throws -> String? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try decodeAttribute(forKey: key)
  }
}
