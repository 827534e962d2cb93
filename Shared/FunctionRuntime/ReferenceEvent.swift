package import Core
package import FirestoreModel

/// A change of one node of the Realtime Database, as a CloudEvent of the type that Eventarc
/// defines.
///
/// The field `data` is the message ReferenceEventData of google.events.firebase.database.v1.
package struct ReferenceEvent: Sendable, Hashable {
  /// The event's ID, unique within its source. All deliveries of an event have the same ID.
  package var id: String
  package var type: EventType
  /// The name of the database.
  package var instance: String
  /// The path of the node, without a slash at its start, such as `status/sarah`.
  package var ref: String
  package var time: Timestamp
  /// The data before the change, or null before a creation.
  package var data: JSONValue
  /// The difference between the data after the change and before it: objects have the members that
  /// changed, and null for those that were deleted.
  package var delta: JSONValue
  package var authContext: AuthContext?
  /// The W3C trace context of the change.
  package var traceparent: String?

  package init(
    id: String,
    type: EventType,
    instance: String,
    ref: String,
    time: Timestamp,
    data: JSONValue,
    delta: JSONValue,
    authContext: AuthContext? = nil,
    traceparent: String? = nil
  ) {
    self.id = id
    self.type = type
    self.instance = instance
    self.ref = ref
    self.time = time
    self.data = data
    self.delta = delta
    self.authContext = authContext
    self.traceparent = traceparent
  }

  /// The data after the change, or null after a deletion.
  package var value: JSONValue { data.applying(delta: delta) }

  /// The kind of change. For the type `written`, it is derived from the data. For other types, it is
  /// the type's kind.
  package var change: EventType.Kind {
    guard type.kind == .written else { return type.kind }
    if data.isNull { return .created }
    return value.isNull ? .deleted : .updated
  }
}

// MARK: Deltas

extension JSONValue {
  /// Returns the difference between another value and this one, in the form of an event's `delta`.
  package func delta(to new: JSONValue) -> JSONValue {
    guard let old = object, let members = new.object else { return new }
    var delta: JSONObject = [:]
    for (name, value) in members where old[name] != value {
      delta[name] = (old[name] ?? .null).delta(to: value)
    }
    for name in old.keys where members[name] == nil { delta[name] = .null }
    return .object(delta)
  }

  /// Returns the value with a difference. An object without members left is null, as in the
  /// Realtime Database.
  func applying(delta: JSONValue) -> JSONValue {
    guard let changes = delta.object else { return delta }
    var members = object ?? [:]
    for (name, change) in changes {
      let value = (members[name] ?? .null).applying(delta: change)
      members[name] = value.isNull ? nil : value
    }
    return members.isEmpty ? .null : .object(members)
  }
}

// MARK: JSON

extension ReferenceEvent: Codable {
  private enum Attribute: String, CodingKey {
    case id, source, type, subject, time, data, instance, ref, authtype, authid, traceparent
  }

  private struct DataMember: Codable {
    var type: String?
    var data: JSONValue?
    var delta: JSONValue?

    private enum CodingKeys: String, CodingKey {
      case type = "@type"
      case data, delta
    }
  }

  private static let dataType =
    "type.googleapis.com/google.events.firebase.database.v1.ReferenceEventData"
  private static let subjectPrefix = "refs/"

  package init(from decoder: any Decoder) throws {
    let attributes = try decoder.container(keyedBy: Attribute.self)
    let source = try attributes.decodeAttribute(forKey: .source)
    let subject = try attributes.decodeAttributeIfPresent(forKey: .subject) ?? ""
    let instance =
      try attributes.decodeAttributeIfPresent(forKey: .instance)
      ?? Self.part(after: "instances", of: source)
    let ref =
      try attributes.decodeAttributeIfPresent(forKey: .ref)
      ?? (subject.utf8.starts(with: Self.subjectPrefix.utf8)
        ? String(subject.dropFirst(Self.subjectPrefix.count)) : nil)
    guard let instance, let ref else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "neither instance and ref nor source and subject name a node"
        )
      )
    }
    try self.init(
      id: attributes.decodeAttribute(forKey: .id),
      type: attributes.decode(EventType.self, forKey: .type),
      instance: instance,
      ref: ref,
      time: attributes.decodeIfPresent(Timestamp.self, forKey: .time),
      data: attributes.decode(DataMember.self, forKey: .data)
    )
    authContext = try attributes.decodeAuthContext(.authtype, .authid)
    traceparent = try attributes.decodeAttributeIfPresent(forKey: .traceparent)
  }

  /// Creates an event from the field `data` of a first-generation event, which has the same format.
  ///
  /// - Parameter resource: The node, as `projects/_/instances/{instance}/refs/{ref}`.
  package init(
    id: String,
    type: EventType,
    resource: String,
    time: Timestamp?,
    data decoder: any Decoder
  ) throws {
    guard let instance = Self.part(after: "instances", of: resource),
      let ref = resource.firstRange(of: "/\(Self.subjectPrefix)")
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the resource is not projects/_/instances/…/refs/…"
        )
      )
    }
    try self.init(
      id: id,
      type: type,
      instance: instance,
      ref: String(resource[ref.upperBound...]),
      time: time,
      data: DataMember(from: decoder)
    )
  }

  private init(
    id: String,
    type: EventType,
    instance: String,
    ref: String,
    time: Timestamp?,
    data: DataMember
  ) throws {
    self.init(
      id: id,
      type: type,
      instance: instance,
      ref: ref.splitAtSlashes.filter { !$0.isEmpty }.joined(separator: "/"),
      time: time ?? Timestamp(seconds: 0),
      data: data.data ?? .null,
      delta: data.delta ?? .null
    )
  }

  /// Returns the part of a resource name after another part.
  private static func part(after name: String, of resource: String) -> String? {
    let parts = resource.splitAtSlashes
    guard let index = parts.firstIndex(where: { $0.hasSameBytes(as: name) }),
      index + 1 < parts.count
    else { return nil }
    return parts[index + 1]
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: MemberName.self)
    for (name, value) in attributes {
      try members.encode(value, forKey: MemberName(stringValue: name))
    }
    try members.encode("application/json", forKey: MemberName(stringValue: "datacontenttype"))
    try members.encode(payload, forKey: MemberName(stringValue: "data"))
  }

  /// The message ReferenceEventData.
  package var payload: JSONValue {
    .object(["@type": .string(Self.dataType), "data": data, "delta": delta])
  }
}

// MARK: Attributes

extension ReferenceEvent {
  /// All CloudEvents attributes except `datacontenttype`, which depends on the encoding.
  package var attributes: [(name: String, value: String)] {
    var attributes = [
      ("specversion", "1.0"),
      ("id", id),
      ("source", source),
      ("type", type.description),
      ("subject", Self.subjectPrefix + ref),
      ("time", time.description),
      ("location", Self.location),
      ("instance", instance),
      ("firebasedatabasehost", Self.host),
      ("ref", ref),
    ]
    if let authContext { attributes += authContext.attributes }
    if let traceparent { attributes.append(("traceparent", traceparent)) }
    return attributes
  }

  /// The CloudEvents attribute `source`.
  package var source: String {
    "//firebasedatabase.googleapis.com/projects/_/locations/\(Self.location)/instances/\(instance)"
  }

  /// The name of the node in first-generation events.
  package var resource: String { Self.resource(ref, in: instance) }

  /// Returns the name of a node in first-generation events.
  package static func resource(_ ref: String, in instance: String) -> String {
    "projects/_/instances/\(instance)/\(subjectPrefix)\(ref)"
  }

  /// Returns the name of a project's default database.
  package static func defaultInstance(of project: String) -> String { "\(project)-default-rtdb" }

  /// The domain of databases in the location.
  package static let host = "firebaseio.com"

  /// The location of the database. An emulator has none.
  private static let location = "us-central1"
}
