import Core
package import FirestoreModel

/// A change of one document, as a CloudEvent of the type that Eventarc defines.
///
/// The emulator encodes it as JSON in structured mode, and functions decode it. The field `data` is
/// the message DocumentEventData of google.events.cloud.firestore.v1.
package struct DocumentEvent: Sendable, Hashable {
  /// The event's ID, unique within its source. All deliveries of an event have the same ID.
  package var id: String
  package var type: EventType
  package var document: DocumentName
  /// The commit time of the change.
  package var time: Timestamp
  /// The document after the change, or `nil` after a deletion.
  package var value: Document?
  /// The document before the change, or `nil` before a creation.
  package var oldValue: Document?
  /// The paths of the fields that an update changed. Google's emulator sends none.
  package var updateMask: [FieldPath]
  /// The author of the change. Only events of the `withAuthContext` types have one.
  package var authContext: AuthContext?
  /// The W3C trace context of the change.
  package var traceparent: String?

  package init(
    id: String,
    type: EventType,
    document: DocumentName,
    time: Timestamp,
    value: Document?,
    oldValue: Document?,
    updateMask: [FieldPath] = [],
    authContext: AuthContext? = nil,
    traceparent: String? = nil
  ) {
    self.id = id
    self.type = type
    self.document = document
    self.time = time
    self.value = value
    self.oldValue = oldValue
    self.updateMask = updateMask
    self.authContext = authContext
    self.traceparent = traceparent
  }

  /// The kind of change. For the type `written`, it is derived from the two documents. For other
  /// types, it is the type's kind, because a sender may omit the old document of an update.
  package var change: EventType.Kind {
    guard type.kind == .written else { return type.kind }
    return switch (oldValue, value) {
    case (nil, _): .created
    case (_, nil): .deleted
    default: .updated
    }
  }

  /// Returns whether the change affected a field.
  ///
  /// If the event has both documents, they are compared, because some emulators leave `updateMask`
  /// empty.
  package func changes(_ field: FieldPath) -> Bool {
    if let value, let oldValue { return value.fields[field] != oldValue.fields[field] }
    return updateMask.isEmpty
      || updateMask.contains {
        $0.segments.starts(with: field.segments) || field.segments.starts(with: $0.segments)
      }
  }
}

// MARK: JSON

extension DocumentEvent: Codable {
  private enum Attribute: String, CodingKey {
    case id, type, time, data, authtype, authid, traceparent
    case base64 = "data_base64"
  }

  private struct DataMember: Codable {
    var value: DocumentIfAny?
    var oldValue: DocumentIfAny?
    var updateMask: FieldMask?
  }

  /// A document, or `{}`, which first-generation events and some emulators have in place of a
  /// missing document.
  private struct DocumentIfAny: Codable {
    var document: Document?

    init?(_ document: Document?) {
      guard let document else { return nil }
      self.document = document
    }

    init(from decoder: any Decoder) throws {
      let isEmpty = try decoder.container(keyedBy: MemberName.self).allKeys.isEmpty
      document = isEmpty ? nil : try Document(from: decoder)
    }

    func encode(to encoder: any Encoder) throws { try document?.encode(to: encoder) }
  }

  package init(from decoder: any Decoder) throws {
    let attributes = try decoder.container(keyedBy: Attribute.self)
    if attributes.contains(.base64), try !attributes.decodeNil(forKey: .base64) {
      throw DecodingError.dataCorruptedError(
        forKey: .base64,
        in: attributes,
        debugDescription: "a protobuf payload can't be read from stdin; send data as JSON"
      )
    }
    let data = try attributes.decode(DataMember.self, forKey: .data)
    try self.init(
      id: attributes.decodeAttribute(forKey: .id),
      type: attributes.decode(EventType.self, forKey: .type),
      time: attributes.decodeIfPresent(Timestamp.self, forKey: .time),
      data: data,
      codingPath: decoder.codingPath
    )
    authContext = try attributes.decodeAuthContext(.authtype, .authid)
    traceparent = try attributes.decodeAttributeIfPresent(forKey: .traceparent)
  }

  /// Creates an event from the field `data` of a first-generation event, which has the same format.
  package init(id: String, type: EventType, time: Timestamp?, data decoder: any Decoder) throws {
    try self.init(
      id: id,
      type: type,
      time: time,
      data: DataMember(from: decoder),
      codingPath: decoder.codingPath
    )
  }

  private init(
    id: String,
    type: EventType,
    time: Timestamp?,
    data: DataMember,
    codingPath: [any CodingKey]
  ) throws {
    let value = data.value?.document
    let oldValue = data.oldValue?.document
    guard let name = (value ?? oldValue)?.name else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "data has neither value nor oldValue")
      )
    }
    self.init(
      id: id,
      type: type,
      document: name,
      time: time ?? value?.updateTime ?? oldValue?.updateTime ?? Timestamp(seconds: 0),
      value: value,
      oldValue: oldValue,
      updateMask: data.updateMask?.fieldPaths ?? []
    )
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: MemberName.self)
    for (name, value) in attributes {
      try members.encode(value, forKey: MemberName(stringValue: name))
    }
    try members.encode("application/json", forKey: MemberName(stringValue: "datacontenttype"))
    try members.encode(
      DataMember(
        value: DocumentIfAny(value),
        oldValue: DocumentIfAny(oldValue),
        updateMask: updateMask.isEmpty ? nil : FieldMask(updateMask)
      ),
      forKey: MemberName(stringValue: "data")
    )
  }
}

// MARK: Attributes

extension DocumentEvent {
  /// All CloudEvents attributes except `datacontenttype`, which depends on the encoding.
  package var attributes: [(name: String, value: String)] {
    var attributes = [
      ("specversion", "1.0"),
      ("id", id),
      ("source", source),
      ("type", type.description),
      ("subject", "documents/\(document.path)"),
      ("time", time.description),
      ("dataschema", Self.dataSchema),
      ("location", Self.location),
      ("project", document.database.project),
      ("database", document.database.database),
      ("namespace", "(default)"),
      ("document", document.path.description),
    ]
    if let authContext { attributes += authContext.attributes }
    if let traceparent { attributes.append(("traceparent", traceparent)) }
    return attributes
  }

  /// The CloudEvents attribute `source`.
  package var source: String { "//firestore.googleapis.com/\(document.database)" }

  /// The location of the database. An emulator has none, so events have the value that Google's
  /// emulator sends.
  private static let location = "us-central1"

  private static let dataSchema =
    "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"
}
