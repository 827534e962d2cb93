import ArgumentParser
import Core
import HTTPClient

struct EventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "The running emulator's deliveries: list, show, retry, pause, resume.",
    subcommands: [List.self, Show.self, Retry.self, Pause.self, Resume.self],
    defaultSubcommand: List.self
  )

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "A line a delivery, the newest last.")

    @Option(help: "Only of one state: waiting, running, succeeded, skipped or deadLettered.")
    var state: String?

    @Option(help: "Only of one function.")
    var function: String?

    @Option(help: "How many at most, the newest.")
    var limit = 50

    @Flag(help: "JSON as the API has it.")
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
      abstract: "An event with its deliveries, what they printed and logged, as JSON."
    )

    @Argument(help: "An event's id, or a delivery's.")
    var id: String

    @OptionGroup var projectOption: ProjectOption

    func validate() throws {
      guard !id.isEmpty else { throw ValidationError("the id is empty") }
    }

    func run() async throws {
      try printJSON(
        try await EmulatorClient(project: projectOption.project())
          .send("GET", "ui", "/api/events/\(PercentEncoding.encode(id))")
      )
    }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Have dead letters tried again, and what waits for its next attempt at once."
    )

    @Argument(help: "Ids of deliveries, or of events for all their dead letters.")
    var ids: [String] = []

    @Flag(help: "All dead letters.")
    var all = false

    @OptionGroup var projectOption: ProjectOption

    func validate() throws {
      guard ids.isEmpty == all else { throw ValidationError("name ids, or --all") }
    }

    func run() async throws {
      let client = try await EmulatorClient(project: projectOption.project())
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
          // Of all, one that has gone on meanwhile needs no retry.
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
      abstract: "Hold deliveries back. Events are recorded all the same."
    )

    @OptionGroup var projectOption: ProjectOption

    func run() async throws {
      try await EventsCommand.setPaused(true, project: projectOption.project())
    }
  }

  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Deliver what was held back.")

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
  /// A delivery as a person reads it.
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
    return parts.joined(separator: "  ")
  }
}

/// Prints JSON with its members in order, a line for each.
func printJSON(_ value: JSONValue) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
