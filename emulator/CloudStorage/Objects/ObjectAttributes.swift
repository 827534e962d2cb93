package import Core
package import FirestoreModel

/// The part of an object's metadata that clients set.
package struct ObjectAttributes: Sendable, Hashable {
  package private(set) var contentType: String?
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

  /// Sets the content's type, such as `image/png`.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a text that is no header.
  package mutating func setContentType(_ type: String?) throws(StatusError) {
    contentType = try type.map { type throws(StatusError) in
      try Self.checked(type, "the content type")
    }
  }

  /// Creates the attributes of JSON that was checked when it was stored.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a value of another type.
  init(stored json: JSONObject) throws(StatusError) {
    try apply(json, areStored: true)
  }

  /// Changes the attributes that a JSON object has. A member that is null removes its attribute, and
  /// so does one within `metadata`. Other members are ignored.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a value of another type or size.
  package mutating func apply(_ patch: JSONObject) throws(StatusError) {
    try apply(patch, areStored: false)
  }

  private mutating func apply(_ patch: JSONObject, areStored: Bool) throws(StatusError) {
    for (name, attribute) in Self.texts {
      guard let value = patch[name] else { continue }
      self[keyPath: attribute] = try Self.text(value, name, areStored)
    }
    if let value = patch["storageClass"], let text = try Self.text(value, "storageClass", areStored)
    {
      storageClass = text
    }
    if let value = patch["customTime"] {
      customTime = try Self.text(value, "customTime", areStored).map { text throws(StatusError) in
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
    // The download tokens are the service's own.
    let count = custom.reduce(0) { count, member in
      count
        + (member.key == DownloadTokens.name ? 0 : member.key.utf8.count + member.value.utf8.count)
    }
    guard areStored || count <= Self.maximumCustomBytes else {
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
  private static func text(
    _ value: JSONValue,
    _ name: ByteKey,
    _ isStored: Bool
  ) throws(StatusError) -> String? {
    switch value {
    case .null: return nil
    case .string(let text): return isStored ? text : try checked(text, name.string)
    default: throw StatusError(.invalidArgument, "\(name) is not a text")
    }
  }

  /// Returns a text that can be a header.
  private static func checked(_ text: String, _ name: String) throws(StatusError) -> String {
    guard text.utf8.count <= maximumBytes, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw StatusError(
        .invalidArgument,
        "\(name) is not a text of at most \(maximumBytes) bytes without control characters"
      )
    }
    return text
  }
}
