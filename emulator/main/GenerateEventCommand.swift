import ArgumentParser
import Core
import FirestoreModel
import FunctionRuntime

struct GenerateEventCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-event",
    abstract: "Print the event of a message's change, to pipe into a function.",
    usage: "emulator generate-event <type> <path> [<options>]",
    discussion: """
      Prints one line of JSON: the event that a change of the message would cause. The message \
      isn't written to Firestore.

      Examples:
        emulator generate-event created conversations/c1/messages/m1 > event.json
        emulator exec --seed demo -- sh -c 'emulator generate-event created \\
          conversations/trip/messages/thanks | sendNotification'
      """
  )

  @Argument(help: "created, updated, deleted, written, or the type of a CloudEvent.")
  var type: String

  @Argument(help: "Path of the message, such as conversations/c1/messages/m1.")
  var path: String

  @Option(help: "The message's text.")
  var text = "Hey, let's meet for coffee tomorrow!"

  @Option(help: ArgumentHelp("The code of the message's language.", valueName: "code"))
  var language = "en"

  @Option(help: ArgumentHelp("User id of the message's sender.", valueName: "uid"))
  var sender = "sarah"

  @OptionGroup var projectOption: ProjectOption

  func run() throws {
    let kind = EventType.Kind(rawValue: type).map { EventType($0) }
    guard let type = kind ?? EventType(type) else {
      throw StatusError(
        .invalidArgument,
        "\(quoted(self.type)) is not an event type: use created, updated, deleted or written"
      )
    }
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
    let event = DocumentEvent(
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
    print(String(decoding: try JSON.encode(event), as: UTF8.self))
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
