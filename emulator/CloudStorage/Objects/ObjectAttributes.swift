package import Core
package import FirestoreModel

/// The part of an object's metadata that clients set.
package struct ObjectAttributes: Sendable, Hashable {
  package var contentType: String?
  package var contentEncoding: String?
  package var contentDisposition: String?
  package var contentLanguage: String?
  package var cacheControl: String?
  package var storageClass = "STANDARD"
  package var customTime: Timestamp?
  /// The custom metadata.
  package var custom: [ByteKey: String] = [:]

  /// The maximum size of the custom metadata's names and values in bytes.
  private static let maximumCustomBytes = 8 << 10
  /// The maximum size of each other attribute in bytes.
  private static let maximumBytes = 1 << 10

  package init() {}

  /// The members of the resource `storage#object`.
  package var json: JSONObject {
    var members: JSONObject = ["storageClass": .string(storageClass)]
    for (name, attribute) in Self.texts {
      members[name] = self[keyPath: attribute].map { .string($0) }
    }
    members["customTime"] = customTime.map { .string($0.inMilliseconds) }
    if !custom.isEmpty { members["metadata"] = .object(custom.mapValues { .string($0) }) }
    return members
  }

  private static var texts: [(name: ByteKey, attribute: WritableKeyPath<Self, String?>)] {
    [
      ("contentType", \.contentType), ("contentEncoding", \.contentEncoding),
      ("contentDisposition", \.contentDisposition), ("contentLanguage", \.contentLanguage),
      ("cacheControl", \.cacheControl),
    ]
  }

  /// Changes the attributes that a JSON object has. A member that is null removes its attribute, and
  /// so does one within `metadata`. Other members are ignored.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a value of another type or size.
  package mutating func apply(_ patch: JSONObject) throws(StatusError) {
    for (name, attribute) in Self.texts {
      guard let value = patch[name] else { continue }
      self[keyPath: attribute] = try Self.text(value, name)
    }
    if let value = patch["storageClass"], let text = try Self.text(value, "storageClass") {
      storageClass = text
    }
    if let value = patch["customTime"] {
      customTime = try Self.text(value, "customTime").map { text throws(StatusError) in
        do throws(StatusError) {
          return try Timestamp(text)
        } catch {
          throw StatusError(.invalidArgument, "customTime is not a time in the form of RFC 3339")
        }
      }
    }
    switch patch["metadata"] {
    case nil: break
    case .null: custom = [:]
    case .object(let members): for (name, value) in members { try set(name, to: value) }
    default: throw StatusError(.invalidArgument, "metadata is not an object of strings")
    }
    let count = custom.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard count <= Self.maximumCustomBytes else {
      throw StatusError(
        .invalidArgument,
        "metadata has \(count) bytes; the limit is \(Self.maximumCustomBytes)"
      )
    }
  }

  private mutating func set(_ name: ByteKey, to value: JSONValue) throws(StatusError) {
    switch value {
    case .null: custom[name] = nil
    case .string(let text): custom[name] = text
    default:
      throw StatusError(.invalidArgument, "metadata.\(quoted(name.string)) is not a string")
    }
  }

  /// Returns the text of an attribute, or `nil` if the value is null.
  private static func text(_ value: JSONValue, _ name: ByteKey) throws(StatusError) -> String? {
    switch value {
    case .null: return nil
    // These attributes become headers.
    case .string(let text)
    where text.utf8.count <= maximumBytes && text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }):
      return text
    default:
      throw StatusError(
        .invalidArgument,
        "\(name) is not a text of at most \(maximumBytes) bytes without control characters"
      )
    }
  }
}
