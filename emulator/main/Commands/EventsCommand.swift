import ArgumentParser
import Core
import HTTPClient

struct EventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "List and control a running emulator's deliveries.",
    discussion: """
      A delivery is one event for one function. It is tried again until it succeeds, or until it \
      is given up and becomes a dead letter. Without a subcommand, deliveries are listed.

      Examples:
        emulator events list --state deadLettered
        emulator events show <id>
        emulator events retry --all
      """,
    subcommands: [List.self, Show.self, Retry.self, Pause.self, Resume.self],
    defaultSubcommand: List.self
  )

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List deliveries, one per line, the newest last.",
      usage: "emulator events list [<options>]",
      discussion: """
        A line has the time, function, state, document and delivery id, then the number of \
        attempts, the next attempt and the error, if there are any.

        Examples:
          emulator events list --state deadLettered
          emulator events list --function translateMessage --limit 10 --json
        """
    )

    @Option(
      help: "Only deliveries in this state: waiting, running, succeeded, skipped or deadLettered."
    )
    var state: String?

    @Option(help: ArgumentHelp("Only deliveries to this function.", valueName: "name"))
    var function: String?

    @Option(
      help: ArgumentHelp("Maximum number of deliveries; the newest are listed.", valueName: "n")
    )
    var limit = 50

    @Flag(help: "Print JSON, as GET /api/events returns it.")
    var json = false

    @OptionGroup var projectOption: ProjectOption

    func run() async throws {
      var query = ["limit=\(limit)"]
      if let state { query.append("state=\(PercentEncoding.encode(state))") }
      if let function { query.append("function=\(PercentEncoding.encode(function))") }
      let answer = try await EmulatorClient(project: projectOption.project())
        .send("GET", "ui", "/api/events?\(query.joined(separator: "&"))")
      if json { return try printJSON(answer) }
      let deliveries = answer.array ?? []
      for delivery in deliveries { print(delivery.deliveryLine) }
      if deliveries.isEmpty { print("no deliveries") }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print an event with its deliveries, or a call, with results and logs.",
      usage: "emulator events show <id> [<options>]"
    )

    @Argument(help: "Id of an event, of a delivery or of a call.")
    var id: String

    @Flag(help: "Print JSON, as GET /api/events/{id} returns it.")
    var json = false

    @OptionGroup var projectOption: ProjectOption

    func validate() throws {
      guard !id.isEmpty else { throw ValidationError("the id is empty") }
    }

    func run() async throws {
      let answer = try await EmulatorClient(project: projectOption.project())
        .send("GET", "ui", "/api/events/\(PercentEncoding.encode(id))")
      if json { return try printJSON(answer) }
      EventText(answer: answer, console: Console(descriptor: STDOUT_FILENO)).print()
    }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Retry the given deliveries immediately, or all dead letters with --all.",
      usage: "emulator events retry [<ids> ...] [<options>]",
      discussion: """
        A dead letter gets all its attempts again. A delivery that waits for its next attempt is \
        tried at once.

        Examples:
          emulator events retry --all
          emulator events retry <id>
        """
    )

    @Argument(
      help: "Delivery ids, or event ids; an event id retries all its dead letters."
    )
    var ids: [String] = []

    @Flag(help: "Retry all dead letters.")
    var all = false

    @OptionGroup var projectOption: ProjectOption

    func validate() throws {
      guard ids.isEmpty == all else {
        throw ValidationError("name the ids of deliveries or events, or use --all")
      }
    }

    func run() async throws {
      let client = try EmulatorClient(project: projectOption.project())
      var ids = ids
      if all {
        let dead = try await client.send("GET", "ui", "/api/events?state=deadLettered")
        ids = (dead.array ?? []).compactMap { $0["id"]?.string }
      }
      var failure: StatusError?
      for id in ids {
        do throws(StatusError) {
          let answer = try await client.send(
            "POST",
            "ui",
            "/api/events/\(PercentEncoding.encode(id))/retry"
          )
          for delivery in answer.array ?? [] { print(delivery.deliveryLine) }
        } catch {
          // With --all, skip a delivery whose state has changed since the list was read.
          guard !all || ![.failedPrecondition, .notFound].contains(error.code) else { continue }
          failure = failure ?? error
        }
      }
      if ids.isEmpty { print("no dead letters") }
      if let failure { throw failure }
    }
  }

  struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Pause deliveries; events are still recorded.",
      usage: "emulator events pause [<options>]"
    )

    @OptionGroup var projectOption: ProjectOption

    func run() async throws {
      try await EventsCommand.setPaused(true, project: projectOption.project())
    }
  }

  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Resume deliveries, starting with the events recorded during the pause.",
      usage: "emulator events resume [<options>]"
    )

    @OptionGroup var projectOption: ProjectOption

    func run() async throws {
      try await EventsCommand.setPaused(false, project: projectOption.project())
    }
  }

  private static func setPaused(_ isPaused: Bool, project: String) async throws {
    _ = try await EmulatorClient(project: project)
      .send("PUT", "ui", "/api/triggers", ["paused": .boolean(isPaused)])
    print(isPaused ? "paused" : "resumed")
  }
}

extension JSONValue {
  /// A delivery as one line of text.
  fileprivate var deliveryLine: String {
    func text(_ name: String) -> String { self[name]?.string ?? "" }
    var parts = [text("time"), text("function"), text("state"), text("document"), text("id")]
    if case .integer(let attempts)? = self["attempts"], attempts > 1 {
      parts.append("\(attempts) attempts")
    }
    if let next = self["nextAttempt"]?.string { parts.append("next at \(next)") }
    if let reason = self["reason"]?.string { parts.append(reason) }
    if let error = self["error"]?["message"]?.string {
      parts.append("\(self["error"]?["code"]?.string ?? ""): \(error)")
    }
    return parts.joined(separator: "  ").escapedForTerminal
  }
}

/// Prints JSON with one field per line, sorted by name.
func printJSON(_ value: JSONValue) throws {
  print(String(decoding: try JSON.encodeIndented(value), as: UTF8.self))
}
