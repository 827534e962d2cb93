package import Core
package import FirestoreModel

/// The manifest of a function, which `--describe` prints: everything that the emulator and
/// `deploy.sh` know about the function.
package struct FunctionManifest: Sendable, Hashable, Codable {
  /// A kind of change that triggers the function.
  package struct Trigger: Sendable, Hashable, Codable {
    package var eventType: EventType
    /// A pattern of the paths of documents, such as
    /// `conversations/{conversationId}/messages/{messageId}`, of the Realtime Database's nodes, such
    /// as `status/{uid}`, or of objects' names, such as `avatars/{uid}/{file}`. In JSON it is
    /// `document`, `ref` or `object`.
    package var path: String
    /// The fields of documents to watch: an update matches if it changes at least one of them. If
    /// the property is `nil`, every update matches.
    package var fields: [FieldPath]?
    /// The ID of Firestore's database, or `nil` for `(default)`.
    package var database: String?
    /// A pattern of the names of Realtime Databases, or `nil` for all. In JSON `*` stands for all.
    package var instance: String?
    /// The name of a bucket, or `nil` for all. In JSON `*` stands for all.
    package var bucket: String?
    /// The ID of the project, or `nil` for every project. It isn't encoded: only triggers that are
    /// registered while the emulator runs have one.
    package var project: String?

    package init(
      eventType: EventType,
      document: String,
      fields: [FieldPath]? = nil,
      database: String? = nil,
      project: String? = nil
    ) {
      self.eventType = eventType
      path = document
      self.fields = fields
      self.database = database
      self.project = project
    }

    /// Creates a trigger on nodes of the Realtime Database.
    ///
    /// - Parameter instance: A pattern of the databases' names, or `nil` for all.
    package init(_ kind: EventType.Kind, ref: String, instance: String? = nil) {
      eventType = EventType(kind, of: .reference)
      path = ref
      self.instance = instance
    }

    /// Creates a trigger on objects of Cloud Storage.
    ///
    /// - Parameters:
    ///   - object: A pattern of the objects' names; by default of all.
    ///   - bucket: The name of the bucket, or `nil` for all.
    package init(_ kind: EventType.Kind, object: String = allObjects, bucket: String? = nil) {
      eventType = EventType(kind, of: .object)
      path = object
      self.bucket = bucket
    }

    /// The pattern of all objects' names.
    package static let allObjects = "**"

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case eventType, document, ref, fields, database, instance, object, bucket
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      eventType = try container.decode(EventType.self, forKey: .eventType)
      try decoder.refuseOtherMembers(than: CodingKeys.self)
      switch eventType.subject {
      case .document:
        path = try container.decode(String.self, forKey: .document)
        fields = try container.decodeIfPresent([FieldPath].self, forKey: .fields)
        database = try container.decodeIfPresent(String.self, forKey: .database)
      case .reference:
        // Firebase's own functions begin refs with a slash.
        let ref = try container.decode(String.self, forKey: .ref)
        path = ref.utf8.first == UInt8(ascii: "/") ? String(ref.dropFirst()) : ref
        let name = try container.decodeIfPresent(String.self, forKey: .instance)
        instance = name == "*" ? nil : name
      case .object:
        for key in [CodingKeys.document, .ref, .fields, .database, .instance]
        where container.contains(key) {
          throw DecodingError.dataCorruptedError(
            forKey: key,
            in: container,
            debugDescription: "not a member of a trigger on objects, which has bucket and object"
          )
        }
        path = try container.decodeIfPresent(String.self, forKey: .object) ?? Self.allObjects
        let name = try container.decodeIfPresent(String.self, forKey: .bucket)
        bucket = name == "*" ? nil : name
      }
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(eventType, forKey: .eventType)
      switch eventType.subject {
      case .document:
        try container.encode(path, forKey: .document)
        try container.encodeIfPresent(fields, forKey: .fields)
        try container.encodeIfPresent(database, forKey: .database)
      case .reference:
        try container.encode(path, forKey: .ref)
        try container.encode(instance ?? "*", forKey: .instance)
      case .object:
        if path != Self.allObjects { try container.encode(path, forKey: .object) }
        try container.encode(bucket ?? "*", forKey: .bucket)
      }
    }

    /// The pattern of the paths.
    ///
    /// - Throws: `INVALID_ARGUMENT` if no path can match.
    package var pattern: PathPattern {
      get throws(StatusError) {
        switch eventType.subject {
        case .document: try PathPattern(path)
        case .reference: try PathPattern(ofNodes: path)
        case .object: try PathPattern(ofObjects: path)
        }
      }
    }

    /// Returns whether changes in a database of Firestore can match this trigger.
    package func isBound(to name: DatabaseName) -> Bool {
      eventType.subject == .document && name.database == database ?? "(default)"
        && name.project == project ?? name.project
    }

    /// Returns whether changes in a Realtime Database can match this trigger.
    package func isBound(toInstance name: String) throws(StatusError) -> Bool {
      guard eventType.subject == .reference else { return false }
      guard let instance else { return true }
      return try PathPattern(ofNodes: instance).match([name]) != nil
    }

    /// Returns whether changes in a bucket can match this trigger.
    package func isBound(toBucket name: String) -> Bool {
      eventType.subject == .object && bucket?.hasSameBytes(as: name) != false
    }

    /// Returns whether an event can match this trigger by where it happened.
    fileprivate func isBound(to event: ChangeEvent) throws(StatusError) -> Bool {
      switch event {
      case .document(let event): isBound(to: event.document.database)
      case .reference(let event): try isBound(toInstance: event.instance)
      case .object(let event): isBound(toBucket: event.bucket)
      }
    }
  }

  package struct Variable: Sendable, Hashable, Codable {
    package var name: String
    package var required: Bool

    package init(_ name: String, required: Bool) {
      self.name = name
      self.required = required
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      required = try container.decode(Bool.self, forKey: .required)
      try decoder.refuseOtherMembers(than: CodingKeys.self)
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case name, required
    }
  }

  /// The version of the formats of events, results and manifests.
  package static let contract = 1

  package var contract: Int
  package var name: String
  package var triggers: [Trigger]
  package var callable: Bool
  /// A Boolean value that indicates whether the executable supports `--worker`. If not, each event
  /// gets a new process.
  package var worker: Bool
  /// Patterns of the documents' paths that the function writes. Tools use them to find functions
  /// that trigger each other in a cycle.
  package var writes: [String]
  /// Patterns of the paths in the Realtime Database that the function writes.
  package var refWrites: [String]
  /// Patterns of the names of the objects that the function writes or deletes.
  package var objectWrites: [String]
  /// The names of variables that contain secrets.
  package var secrets: [String]
  package var environment: [Variable]
  package var timeoutSeconds: Int
  package var retry: Bool
  /// The maximum number of events that are handled at the same time, each in its own process.
  package var concurrency: Int
  package var memoryMiB: Int

  package init(
    name: String,
    triggers: [Trigger] = [],
    callable: Bool = false,
    worker: Bool = true,
    writes: [String] = [],
    refWrites: [String] = [],
    objectWrites: [String] = [],
    secrets: [String] = [],
    environment: [Variable] = [],
    timeoutSeconds: Int = 60,
    retry: Bool = true,
    concurrency: Int = 8,
    memoryMiB: Int = 128
  ) {
    self.contract = Self.contract
    self.name = name
    self.triggers = triggers
    self.callable = callable
    self.worker = worker
    self.writes = writes
    self.refWrites = refWrites
    self.objectWrites = objectWrites
    self.secrets = secrets
    self.environment = environment
    self.timeoutSeconds = timeoutSeconds
    self.retry = retry
    self.concurrency = concurrency
    self.memoryMiB = memoryMiB
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case contract, name, triggers, callable, worker, writes, refWrites, objectWrites, secrets
    case environment, timeoutSeconds, retry, concurrency, memoryMiB
  }

  /// Creates a manifest by decoding JSON. Only `name` and `contract` are required, so that scripts
  /// can print a short manifest. A misspelled member is an error. Other unknown ones are ignored, as
  /// a later version of the contract may have them.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let contract = try container.decode(Int.self, forKey: .contract)
    try decoder.refuseOtherMembers(than: CodingKeys.self, onlyMisspelled: true)
    func value<Value: Decodable>(_ key: CodingKeys, _ fallback: Value) throws -> Value {
      try container.decodeIfPresent(Value.self, forKey: key) ?? fallback
    }
    self.init(
      name: try container.decode(String.self, forKey: .name),
      triggers: try value(.triggers, []),
      callable: try value(.callable, false),
      worker: try value(.worker, false),
      writes: try value(.writes, []),
      refWrites: try value(.refWrites, []),
      objectWrites: try value(.objectWrites, []),
      secrets: try value(.secrets, []),
      environment: try value(.environment, []),
      timeoutSeconds: try value(.timeoutSeconds, 60),
      retry: try value(.retry, true),
      concurrency: try value(.concurrency, 8),
      memoryMiB: try value(.memoryMiB, 128)
    )
    self.contract = contract
  }

  /// Returns the names of a manifest's members that have no effect, sorted.
  package static func unknownMembers(of manifest: JSONValue) -> [String] {
    let known = Set(CodingKeys.allCases.map { ByteKey($0.stringValue) })
    return (manifest.object ?? [:]).keys.filter { !known.contains($0) }.sorted().map(\.string)
  }
}

extension Decoder {
  /// Throws an error if the object has a member that isn't among the known keys. The error names the
  /// member, and the known one that is probably meant.
  ///
  /// - Parameter onlyMisspelled: Whether a member that is similar to no known one is allowed.
  fileprivate func refuseOtherMembers<Key: CodingKey & CaseIterable>(
    than known: Key.Type,
    onlyMisspelled: Bool = false
  ) throws {
    let known = known.allCases.map(\.stringValue)
    let names = try JSONValue(from: self).object?.keys.sorted().map(\.string) ?? []
    for name in names where !known.contains(where: name.hasSameBytes) {
      let meant = name.nearest(of: known)
      guard meant != nil || !onlyMisspelled else { continue }
      throw refusal(
        "unknown member \(quoted(name))" + (meant.map { ": did you mean \($0)?" } ?? "")
      )
    }
  }
}

// MARK: Matching

extension FunctionManifest {
  /// The result of matching an event with the triggers.
  package enum Match: Sendable, Equatable {
    /// The matching trigger, and the captured parts of the path by name, such as `conversationId`.
    case taken(Trigger, captures: [String: String])
    case refused(reason: String)
  }

  /// Returns a manifest with only the triggers of an event's database or bucket.
  ///
  /// The emulator calls this before it matches events. The function itself checks neither, because
  /// its deployment determines which database's or bucket's events it gets.
  package func bound(to event: ChangeEvent) throws(StatusError) -> FunctionManifest {
    var manifest = self
    manifest.triggers = []
    for trigger in triggers where try trigger.isBound(to: event) {
      manifest.triggers.append(trigger)
    }
    return manifest
  }

  /// Matches an event with the triggers in order. If none matches, the reason is about the trigger
  /// that came closest to matching.
  package func match(_ event: ChangeEvent) throws(StatusError) -> Match {
    let (subject, segments): (String, [String]) =
      switch event {
      case .document(let event): ("document", event.document.path.segments)
      case .reference(let event): ("node", event.ref.splitAtSlashes)
      case .object(let event): ("object", event.name.splitAtSlashes)
      }
    var reason = "\(name) does not handle \(event.change.rawValue) \(subject)s"
    var isAtPath = false
    for trigger in triggers
    where trigger.eventType.subject == event.type.subject
      && trigger.eventType.includes(event.change)
    {
      guard let captures = try trigger.pattern.match(segments) else {
        if !isAtPath { reason = "the \(subject) is not at \(trigger.path)" }
        continue
      }
      isAtPath = true
      if case .document(let event) = event, event.change == .updated, let fields = trigger.fields,
        !fields.contains(where: event.changes)
      {
        let names = fields.map(\.description).joined(separator: ", ")
        reason = "the update did not change \(names)"
        continue
      }
      return .taken(trigger, captures: captures)
    }
    return .refused(reason: reason)
  }
}
