import ArgumentParser
import CloudStorage
import Core
import Cryptography
import FirestoreModel
import FunctionRuntime

struct GenerateEventCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-event",
    abstract: "Print the event of a change, to pipe into a function.",
    usage: "emulator generate-event <type> <path> [<options>]",
    discussion: """
      Prints one line of JSON: the event that a change of a document would cause, or with --ref, a \
      change of a node of the Realtime Database, or with a type of Cloud Storage, a change of an \
      object whose content is --text. Without --data, the document is a message. Nothing is written.

      --data and --before are JSON, or the name of a file with JSON. A document's values are plain, \
      such as {"name":"Ana","born":{"timestampValue":"2001-05-04T00:00:00Z"}}; the data of an \
      event, with value and oldValue, is taken as it is. With --ref the data is the node's. For an \
      object it is metadata, such as {"size":"1000"}.

      Examples:
        emulator generate-event created conversations/c1/messages/m1 > event.json
        emulator generate-event created users/ana --data '{"displayName":"Ana"}' | ./greet
        emulator exec --seed demo -- sh -c 'emulator generate-event created \\
          conversations/trip/messages/thanks | sendNotification'
        emulator generate-event created status/sarah --ref --after '{"state":"online"}'
        emulator generate-event finalized avatars/sarah/portrait.png --content-type image/png
      """
  )

  @Argument(
    help: """
      created, updated, deleted, written, finalized, metadataUpdated, or the type of a CloudEvent. \
      deleted is of an object only with --bucket.
      """
  )
  var type: String

  @Argument(
    help:
      "Path of the document or node, such as conversations/c1/messages/m1, or name of the object."
  )
  var path: String

  private static let sampleText = "Hey, let's meet for coffee tomorrow!"
  private static let sampleLanguage = "en"

  @Option(help: "The message's text, or the object's content. (default: \(sampleText))")
  var text: String?

  @Option(
    help: ArgumentHelp(
      "The code of the message's language. (default: \(sampleLanguage))",
      valueName: "code"
    )
  )
  var language: String?

  @Option(help: ArgumentHelp("User id of the message's sender.", valueName: "uid"))
  var sender = "sarah"

  @Flag(help: "The path is of a node of the Realtime Database.")
  var ref = false

  @Option(
    help: ArgumentHelp(
      "The data after the change, or of a deletion before it.",
      valueName: "json|file"
    )
  )
  var data: String?

  @Option(help: ArgumentHelp("The data before an update.", valueName: "json|file"))
  var before: String?

  @Option(help: ArgumentHelp("The same as --data, with --ref.", valueName: "json|file"))
  var after: String?

  @Option(
    help: ArgumentHelp(
      "The name of the Realtime Database. (default: the project's, PROJECT-default-rtdb)",
      valueName: "name"
    )
  )
  var instance: String?

  @Option(
    help: ArgumentHelp(
      "The object's bucket. (default: the project's, PROJECT.appspot.com)",
      valueName: "name"
    )
  )
  var bucket: String?

  @Option(help: ArgumentHelp("The object's content type.", valueName: "type"))
  var contentType = "text/plain"

  @OptionGroup var projectOption: ProjectOption

  func validate() throws {
    guard !ref || bucket == nil else {
      throw ValidationError("--ref and --bucket exclude each other")
    }
    guard after == nil || ref else { throw ValidationError("--after needs --ref: use --data") }
    guard after == nil || data == nil else {
      throw ValidationError("--data and --after exclude each other")
    }
  }

  func run() throws {
    let type = try eventType
    try refuseUnusedOptions(type)
    let event: ChangeEvent =
      switch type.subject {
      case .document: .document(try documentEvent(type))
      case .reference: .reference(try referenceEvent(type))
      case .object: .object(try objectEvent(type))
      }
    print(String(decoding: try JSON.encode(event), as: UTF8.self))
  }

  /// The type of the event.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the argument isn't a type, or isn't one of the option's subject.
  private var eventType: EventType {
    get throws(StatusError) {
      let subject: EventType.Subject? = ref ? .reference : bucket == nil ? nil : .object
      if let named = EventType(type), subject ?? named.subject == named.subject { return named }
      let subjects = subject.map { [$0] } ?? EventType.Subject.allCases
      for subject in subjects {
        guard let kind = subject.kinds.first(where: { $0.rawValue == type }) else { continue }
        return EventType(kind, of: subject)
      }
      let kinds = subjects.flatMap(\.kinds).map(\.rawValue)
      let names = kinds.indices.filter { !kinds[..<$0].contains(kinds[$0]) }.map { kinds[$0] }
      throw StatusError(
        .invalidArgument,
        "\(quoted(type)) is not an event type of this change: use one of "
          + names.joined(separator: ", ")
      )
    }
  }

  /// Refuses options that have no effect on the event.
  private func refuseUnusedOptions(_ type: EventType) throws(StatusError) {
    let isMessage = type.subject == .document && data == nil
    let reason: String? =
      if text != nil, !isMessage, type.subject != .object {
        "--text is of a message or an object, not of an event with other data: use only --data"
      } else if language != nil, !isMessage {
        "--language is of a message, not of an event with other data"
      } else if before != nil, type.subject == .object {
        "--before: an event of an object has only the data after the change: use --data"
      } else if before != nil, type.kind == .created {
        "--before: there is no data before a creation: use the type updated, or only --data"
      } else if before != nil, data != nil, type.subject == .document, type.kind == .deleted {
        "--before and --data exclude each other for a deletion, which has only data before it"
      } else {
        nil
      }
    if let reason { throw StatusError(.invalidArgument, reason) }
  }

  private func objectEvent(_ type: EventType) throws -> ObjectEvent {
    try ObjectMetadata.checkName(path)
    let now = Timestamp(microseconds: Timestamp.now.microseconds)
    let text = text ?? Self.sampleText
    var attributes = ObjectAttributes()
    try attributes.setContentType(contentType)
    let object = ObjectMetadata(
      bucket: try bucket ?? ObjectEvent.defaultBucket(of: projectOption.project()),
      name: path,
      generation: now.microseconds,
      metageneration: type.kind == .metadataUpdated ? 2 : 1,
      size: Int64(text.utf8.count),
      crc32c: CRC32C.checksum(text.utf8),
      md5: MD5.digest(text.utf8),
      timeCreated: now,
      updated: now,
      attributes: attributes
    )
    var resource = object.resource()
    if let text = self.data {
      let input = try EventData(text, option: "--data")
      guard let members = input.json.object else {
        throw StatusError(.invalidArgument, "\(input.what) is not an object")
      }
      resource.merge(members) { $1 }
    }
    return ObjectEvent(
      id: FunctionContext.Sources.system.newID(),
      type: type,
      bucket: object.bucket,
      name: object.name,
      time: now,
      data: resource,
      traceparent: FunctionContext.Sources.system.newTraceparent()
    )
  }

  private func referenceEvent(_ type: EventType) throws -> ReferenceEvent {
    var before = try before.map { try EventData($0, option: "--before").json }
    var after =
      try data.map { try EventData($0, option: "--data").json }
      ?? after.map { try EventData($0, option: "--after").json }
    // The data of a deletion is the data before it.
    if type.kind == .deleted, before == nil { swap(&before, &after) }
    let (old, new) = (before ?? .null, after ?? .null)
    guard old != new else {
      throw StatusError(
        .invalidArgument,
        "the data before and after the change are equal: give the node's data with --data"
      )
    }
    var event = ReferenceEvent(
      id: FunctionContext.Sources.system.newID(),
      type: EventType(.written, of: .reference),
      instance: try instance ?? ReferenceEvent.defaultInstance(of: projectOption.project()),
      ref: path,
      time: Timestamp(microseconds: Timestamp.now.microseconds),
      data: old,
      delta: old.delta(to: new),
      authContext: AuthContext(type: "app_user", id: sender),
      traceparent: FunctionContext.Sources.system.newTraceparent()
    )
    guard type.includes(event.change) else {
      throw StatusError(
        .invalidArgument,
        "the node is \(event.change.rawValue), not \(type.kind.rawValue): check --before and --data"
      )
    }
    event.type = type
    return event
  }

  private func documentEvent(_ type: EventType) throws -> DocumentEvent {
    let name = try DocumentName(
      database: DatabaseName(project: projectOption.project()),
      path: ResourcePath(path)
    )
    let now = Timestamp(microseconds: Timestamp.now.microseconds)
    let input = try data.map { try EventData($0, option: "--data") }
    if let input, input.isPayload {
      guard before == nil else {
        throw StatusError(
          .invalidArgument,
          "--before: \(input.what) is the data of an event, which has its own oldValue"
        )
      }
      return try payloadEvent(type, name, input)
    }
    let text = text ?? Self.sampleText
    let data = try input?.fields
    let old = try before.map { try EventData($0, option: "--before").fields }
    let isDeleted = type.kind == .deleted
    let after = isDeleted ? nil : data ?? message(text, at: now)
    var before: Fields?
    if type.kind == .updated || isDeleted || (type.kind == .written && old != nil) {
      let message = message(isDeleted ? text : "", at: now)
      before = old ?? (isDeleted ? data : nil) ?? (data == nil ? message : [:])
    }
    return event(
      type,
      name,
      value: after.map { Document(name: name, fields: $0, createTime: now, updateTime: now) },
      oldValue: before.map { Document(name: name, fields: $0, createTime: now, updateTime: now) },
      at: now
    )
  }

  /// Returns an event whose data is an earlier event's.
  private func payloadEvent(
    _ type: EventType,
    _ name: DocumentName,
    _ input: EventData
  ) throws -> DocumentEvent {
    let now = Timestamp(microseconds: Timestamp.now.microseconds)
    let found = try JSON.read(input.json, what: input.what) {
      try DocumentEvent(id: "", type: type, time: now, data: $0)
    }
    guard found.document.path == name.path else {
      throw StatusError(
        .invalidArgument,
        "\(input.what) is of the document \(found.document.path), not \(path)"
      )
    }
    return event(type, found.document, value: found.value, oldValue: found.oldValue, at: now)
  }

  private func event(
    _ type: EventType,
    _ name: DocumentName,
    value: Document?,
    oldValue: Document?,
    at now: Timestamp
  ) -> DocumentEvent {
    var changed: [FieldPath] = []
    if let value, let oldValue {
      changed = Set(value.fields.keys).union(oldValue.fields.keys).sorted()
        .filter { value.fields[$0] != oldValue.fields[$0] }.map { FieldPath($0) }
    }
    return DocumentEvent(
      id: FunctionContext.Sources.system.newID(),
      type: type,
      document: name,
      time: now,
      value: value,
      oldValue: oldValue,
      updateMask: changed,
      authContext: type.hasAuthContext ? .init(type: "app_user", id: sender) : nil,
      traceparent: FunctionContext.Sources.system.newTraceparent()
    )
  }

  private func message(_ text: String, at now: Timestamp) -> Fields {
    [
      "senderId": .string(sender), "text": .string(text),
      "language": .string(language ?? Self.sampleLanguage),
      "timestamp": .timestamp(now), "status": "sent", "readBy": [],
    ]
  }
}
