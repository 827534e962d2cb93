package import Core
package import FirestoreModel

/// A change of one object of Cloud Storage, as a CloudEvent of the type that Eventarc defines.
///
/// The field `data` is the message StorageObjectData of google.events.cloud.storage.v1. Its JSON is
/// the object's resource in the JSON API of Cloud Storage. The event doesn't name the author of the
/// change.
package struct ObjectEvent: Sendable, Hashable {
  /// The event's ID, unique within its source. All deliveries of an event have the same ID.
  package var id: String
  package var type: EventType
  package var bucket: String
  /// The name of the object, such as `avatars/sarah/portrait.jpg`.
  package var name: String
  package var time: Timestamp
  /// The object's metadata after the change, or before a deletion, with `bucket` and `name`. Members
  /// that this package doesn't know are kept.
  package var data: JSONObject
  /// The W3C trace context of the change.
  package var traceparent: String?

  package init(
    id: String,
    type: EventType,
    bucket: String,
    name: String,
    time: Timestamp,
    data: JSONObject,
    traceparent: String? = nil
  ) {
    self.id = id
    self.type = type
    self.bucket = bucket
    self.name = name
    self.time = time
    self.data = data
    self.traceparent = traceparent
  }
}

// MARK: JSON

extension ObjectEvent: Codable {
  private enum Attribute: String, CodingKey { case id, type, time, data, traceparent }

  package init(from decoder: any Decoder) throws {
    let attributes = try decoder.container(keyedBy: Attribute.self)
    try self.init(
      id: attributes.decodeAttribute(forKey: .id),
      type: attributes.decode(EventType.self, forKey: .type),
      time: attributes.decodeIfPresent(Timestamp.self, forKey: .time),
      data: attributes.decode(JSONValue.self, forKey: .data),
      codingPath: decoder.codingPath + [Attribute.data]
    )
    traceparent = try attributes.decodeAttributeIfPresent(forKey: .traceparent)
  }

  /// Creates an event from the field `data` of a first-generation event, which has the same format.
  package init(id: String, type: EventType, time: Timestamp?, data decoder: any Decoder) throws {
    try self.init(
      id: id,
      type: type,
      time: time,
      data: JSONValue(from: decoder),
      codingPath: decoder.codingPath
    )
  }

  private init(
    id: String,
    type: EventType,
    time: Timestamp?,
    data: JSONValue,
    codingPath: [any CodingKey]
  ) throws {
    guard let members = data.object, let bucket = members["bucket"]?.string,
      let name = members["name"]?.string, !bucket.isEmpty, !name.isEmpty
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath,
          debugDescription: "no object with the members bucket and name"
        )
      )
    }
    self.init(
      id: id,
      type: type,
      bucket: bucket,
      name: name,
      time: time ?? members["updated"]?.string.flatMap { try? Timestamp($0) }
        ?? Timestamp(seconds: 0),
      data: members
    )
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: MemberName.self)
    for (name, value) in attributes {
      try members.encode(value, forKey: MemberName(stringValue: name))
    }
    try members.encode("application/json", forKey: MemberName(stringValue: "datacontenttype"))
    try members.encode(JSONValue.object(data), forKey: MemberName(stringValue: "data"))
  }
}

// MARK: Attributes

extension ObjectEvent {
  /// All CloudEvents attributes except `datacontenttype`, which depends on the encoding.
  package var attributes: [(name: String, value: String)] {
    var attributes = [
      ("specversion", "1.0"),
      ("id", id),
      ("source", source),
      ("type", type.description),
      ("subject", subject),
      ("time", time.description),
      ("bucket", bucket),
    ]
    if let traceparent { attributes.append(("traceparent", traceparent)) }
    return attributes
  }

  /// The CloudEvents attribute `source`.
  package var source: String { "//storage.googleapis.com/projects/_/buckets/\(bucket)" }

  /// The CloudEvents attribute `subject`.
  package var subject: String { "objects/\(name)" }

  /// The name of the object in first-generation events.
  package var resource: String { Self.resource(name, in: bucket) }

  /// Returns the name of an object in first-generation events.
  package static func resource(_ name: String, in bucket: String) -> String {
    "projects/_/buckets/\(bucket)/objects/\(name)"
  }

  /// Returns the name of a project's default bucket, as Firebase's tools name that of a project
  /// without a console, such as `demo-chat`.
  package static func defaultBucket(of project: String) -> String { "\(project).appspot.com" }

  /// Returns the names of the buckets that a project in the emulator has from the start: the default
  /// one, and the one that projects of a newer kind have instead.
  package static func defaultBuckets(of project: String) -> [String] {
    [defaultBucket(of: project), "\(project).firebasestorage.app"]
  }
}
