package import Core
package import FirestoreModel

/// What `--describe` prints: all that the emulator and `deploy.sh` know about a function.
package struct FunctionManifest: Sendable, Hashable, Codable {
  /// One kind of change that wakes the function.
  package struct Trigger: Sendable, Hashable, Codable {
    package var eventType: EventType
    /// Pattern of document paths, `conversations/{conversationId}/messages/{messageId}`.
    package var document: String
    /// For updates: only those in which one of these fields changed. Absent: all.
    package var fields: [FieldPath]?
    /// The one database it listens to. Absent: `(default)`.
    package var database: String?
    /// The one project it listens to; nil: any. A manifest doesn't say it: what asks for events
    /// while the emulator runs does.
    package var project: String?

    package init(
      eventType: EventType,
      document: String,
      fields: [FieldPath]? = nil,
      database: String? = nil,
      project: String? = nil
    ) {
      self.eventType = eventType
      self.document = document
      self.fields = fields
      self.database = database
      self.project = project
    }

    private enum CodingKeys: CodingKey { case eventType, document, fields, database }

    /// Whether changes in a database can wake it at all.
    package func isBound(to name: DatabaseName) -> Bool {
      name.database == database ?? "(default)" && name.project == project ?? name.project
    }
  }

  package struct Variable: Sendable, Hashable, Codable {
    package var name: String
    package var required: Bool

    package init(_ name: String, required: Bool) {
      self.name = name
      self.required = required
    }
  }

  /// The version of the contract of events, results and this manifest.
  package static let contract = 1

  package var contract: Int
  package var name: String
  package var triggers: [Trigger]
  package var callable: Bool
  /// Whether the executable knows `--worker`; without it, it runs once per event.
  package var worker: Bool
  /// Patterns of the documents it writes, so that tools can see cycles.
  package var writes: [String]
  /// Variables that hold keys.
  package var secrets: [String]
  package var environment: [Variable]
  package var timeoutSeconds: Int
  package var retry: Bool
  /// Events in flight at once, each in a process of its own.
  package var concurrency: Int
  package var memoryMiB: Int

  package init(
    name: String,
    triggers: [Trigger] = [],
    callable: Bool = false,
    worker: Bool = true,
    writes: [String] = [],
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
    self.secrets = secrets
    self.environment = environment
    self.timeoutSeconds = timeoutSeconds
    self.retry = retry
    self.concurrency = concurrency
    self.memoryMiB = memoryMiB
  }

  /// Reads a manifest of any function: a script need not give more than name and contract.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys, _ fallback: Value) throws -> Value {
      try container.decodeIfPresent(Value.self, forKey: key) ?? fallback
    }
    self.init(
      name: try container.decode(String.self, forKey: .name),
      triggers: try value(.triggers, []),
      callable: try value(.callable, false),
      worker: try value(.worker, false),
      writes: try value(.writes, []),
      secrets: try value(.secrets, []),
      environment: try value(.environment, []),
      timeoutSeconds: try value(.timeoutSeconds, 60),
      retry: try value(.retry, true),
      concurrency: try value(.concurrency, 8),
      memoryMiB: try value(.memoryMiB, 128)
    )
    contract = try container.decode(Int.self, forKey: .contract)
  }
}

// MARK: Matching

extension FunctionManifest {
  /// Whether a trigger takes an event, and if not, why.
  package enum Match: Sendable, Equatable {
    /// By which trigger, and what its pattern captured, such as `conversationId`.
    case taken(Trigger, captures: [String: String])
    case refused(reason: String)
  }

  /// The same function with only the triggers of one database: what a platform asks before it
  /// matches. The function itself takes an event from wherever it was deployed to listen.
  package func bound(to database: DatabaseName) -> FunctionManifest {
    var manifest = self
    manifest.triggers.removeAll { !$0.isBound(to: database) }
    return manifest
  }

  /// Asks the triggers in order; the reason of a refusal is that of the trigger that came closest.
  package func match(_ event: DocumentEvent) throws(StatusError) -> Match {
    var reason = "\(name) does not handle \(event.change.rawValue) documents"
    var isAtPath = false
    for trigger in triggers where trigger.eventType.includes(event.change) {
      guard let captures = try DocumentPattern(trigger.document).match(event.document.path) else {
        if !isAtPath { reason = "the document is not at \(trigger.document)" }
        continue
      }
      isAtPath = true
      if event.change == .updated, let fields = trigger.fields,
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
