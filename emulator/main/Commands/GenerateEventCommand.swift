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
      Prints one line of JSON: the event that a change of a message would cause, or with --ref, a \
      change of a node of the Realtime Database, or with a type of Cloud Storage, a change of an \
      object whose content is --text. Nothing is written.

      Examples:
        emulator generate-event created conversations/c1/messages/m1 > event.json
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
      "Path of the message or node, such as conversations/c1/messages/m1, or name of the object."
  )
  var path: String

  @Option(help: "The message's text, or the object's content.")
  var text = "Hey, let's meet for coffee tomorrow!"

  @Option(help: ArgumentHelp("The code of the message's language.", valueName: "code"))
  var language = "en"

  @Option(help: ArgumentHelp("User id of the message's sender.", valueName: "uid"))
  var sender = "sarah"

  @Flag(help: "The path is of a node of the Realtime Database.")
  var ref = false

  @Option(help: ArgumentHelp("The node's data before the change.", valueName: "json"))
  var before = "null"

  @Option(help: ArgumentHelp("The node's data after the change.", valueName: "json"))
  var after = "null"

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
  }

  func run() throws {
    let type = try eventType
    let event: ChangeEvent =
      switch type.subject {
      case .document: .document(try messageEvent(type))
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

  private func objectEvent(_ type: EventType) throws -> ObjectEvent {
    try ObjectMetadata.checkName(path)
    let now = Timestamp(microseconds: Timestamp.now.microseconds)
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
    return ObjectEvent(
      id: FunctionContext.Sources.system.newID(),
      type: type,
      bucket: object.bucket,
      name: object.name,
      time: now,
      data: object.resource(),
      traceparent: FunctionContext.Sources.system.newTraceparent()
    )
  }

  private func referenceEvent(_ type: EventType) throws -> ReferenceEvent {
    let before = try JSON.parse(Data(before.utf8), what: "--before")
    let after = try JSON.parse(Data(after.utf8), what: "--after")
    guard before != after else {
      throw StatusError(.invalidArgument, "--before and --after are equal: nothing has changed")
    }
    var event = ReferenceEvent(
      id: FunctionContext.Sources.system.newID(),
      type: EventType(.written, of: .reference),
      instance: try instance ?? ReferenceEvent.defaultInstance(of: projectOption.project()),
      ref: path,
      time: Timestamp(microseconds: Timestamp.now.microseconds),
      data: before,
      delta: before.delta(to: after),
      authContext: AuthContext(type: "app_user", id: sender),
      traceparent: FunctionContext.Sources.system.newTraceparent()
    )
    guard type.includes(event.change) else {
      throw StatusError(
        .invalidArgument,
        "the node is \(event.change.rawValue), not \(type.kind.rawValue): check --before and --after"
      )
    }
    event.type = type
    return event
  }

  private func messageEvent(_ type: EventType) throws -> DocumentEvent {
    let name = try DocumentName(
      database: DatabaseName(project: projectOption.project()),
      path: ResourcePath(path)
    )
    let now = Timestamp(microseconds: Timestamp.now.microseconds)
    let after = message(name, text: text, now: now)
    var before: Document?
    if type.kind == .updated || type.kind == .deleted {
      before = message(name, text: type.kind == .deleted ? text : "", now: now)
    }
    return DocumentEvent(
      id: FunctionContext.Sources.system.newID(),
      type: type,
      document: name,
      time: now,
      value: type.kind == .deleted ? nil : after,
      oldValue: before,
      updateMask: type.kind == .updated ? [FieldPath("text")] : [],
      authContext: type.hasAuthContext ? .init(type: "app_user", id: sender) : nil,
      traceparent: FunctionContext.Sources.system.newTraceparent()
    )
  }

  private func message(_ name: DocumentName, text: String, now: Timestamp) -> Document {
    Document(
      name: name,
      fields: [
        "senderId": .string(sender), "text": .string(text), "language": .string(language),
        "timestamp": .timestamp(now), "status": "sent", "readBy": [],
      ],
      createTime: now,
      updateTime: now
    )
  }
}
