package import Core
package import FirestoreModel

/// The metadata of a bucket.
package struct Bucket: Sendable, Hashable {
  package var name: String
  package var timeCreated: Timestamp
  package var updated: Timestamp
  package var metageneration: Int64 = 1
  /// The members that clients have set, such as `location`, `labels` and `cors`. They have no effect
  /// on objects.
  package var settings: JSONObject = [:]

  /// The members that the emulator stores.
  private static let known: Set<ByteKey> = [
    "billing", "cors", "defaultEventBasedHold", "iamConfiguration", "labels", "location",
    "locationType", "rpo", "storageClass", "website",
  ]
  /// The members that would change what happens to objects.
  private static let notEmulated: Set<ByteKey> = [
    "autoclass", "encryption", "lifecycle", "logging", "retentionPolicy", "versioning",
  ]
  /// The location of a bucket for which a client has set none. An emulator has no location.
  private static let location = "US-CENTRAL1"
  /// The maximum size of the settings in bytes.
  private static let maximumBytes = 64 << 10

  init(_ name: String, at time: Timestamp) {
    self.name = name
    timeCreated = time
    updated = time
  }

  /// Changes the settings that a JSON object has. A member that is null removes its setting.
  ///
  /// - Throws: An error that names a setting that isn't emulated.
  mutating func apply(_ patch: JSONObject) throws(StorageError) {
    for (name, value) in patch.sorted(by: { $0.key < $1.key }) {
      if Self.notEmulated.contains(name), !value.isInactive {
        throw .notEmulated("the bucket's setting \(name) is")
      }
      guard Self.known.contains(name) else { continue }
      settings[name] = value.isNull ? nil : value
    }
    guard let data = try? JSON.encode(JSONValue.object(settings)), data.count <= Self.maximumBytes
    else { throw .invalid("the bucket's settings are larger than 64 KiB") }
  }

  /// The resource `storage#storageLayout` of the JSON API, which gcloud asks for.
  var layout: JSONObject {
    [
      "kind": .string("storage#storageLayout"), "bucket": .string(name),
      "location": settings["location"] ?? .string(Self.location),
      "locationType": .string("region"),
      "hierarchicalNamespace": .object(["enabled": .boolean(false)]),
    ]
  }

  /// Returns the resource `storage#bucket` of the JSON API.
  func resource(origin: String) -> JSONObject {
    var members: JSONObject = [
      "kind": .string("storage#bucket"),
      "id": .string(name),
      "selfLink": .string("\(origin)/storage/v1/b/\(name)"),
      "name": .string(name),
      "projectNumber": .string("0"),
      "metageneration": .string(String(metageneration)),
      "location": .string(Self.location),
      "locationType": .string("region"),
      "storageClass": .string("STANDARD"),
      "etag": .string(Data(String(metageneration).utf8).base64EncodedString()),
      "timeCreated": .string(timeCreated.inMilliseconds),
      "updated": .string(updated.inMilliseconds),
      "iamConfiguration": .object([
        "uniformBucketLevelAccess": .object(["enabled": .boolean(true)]),
        "publicAccessPrevention": .string("inherited"),
      ]),
    ]
    members.merge(settings) { $1 }
    return members
  }
}

extension JSONValue {
  /// A Boolean value that indicates whether a setting is off: null, empty, or `enabled` is false.
  fileprivate var isInactive: Bool {
    switch self {
    case .null: true
    case .object(let members): members.isEmpty || members["enabled"] == .boolean(false)
    default: false
    }
  }
}
