import ArgumentParser
import Core
import Services

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print a running emulator's addresses, functions and deliveries.",
    usage: "emulator status [<options>]",
    discussion: """
      The exit code is 1 if no emulator of the project is running.

      Examples:
        emulator status
        emulator status --json
      """
  )

  @Flag(help: "Print JSON: GET /api/status, with GET /api/functions/status as functions.")
  var json = false

  @OptionGroup var projectOption: ProjectOption

  func run() async throws {
    let client = try EmulatorClient(project: projectOption.project())
    let status = try await client.send("GET", "ui", "/api/status")
    let functions = try await client.send("GET", "ui", "/api/functions/status")
    if json {
      var members = status.object ?? [:]
      members["functions"] = functions
      return try printJSON(.object(members))
    }
    let console = Console(descriptor: STDOUT_FILENO)
    console.print(
      "WorldChat emulator, project \(status["project"]?.string ?? ""), "
        + "since \(status["started"]?.string ?? "")"
    )
    for service in EmulatedService.all {
      guard let address = status["services"]?[service.name.rawValue],
        let host = address["host"]?.string, case .integer(let port)? = address["port"]
      else { continue }
      console.announce(
        service.title,
        "\(service.scheme)\(Addresses.Address(host: host, port: Int(port)))"
      )
    }
    if let folder = status["dataFolder"]?.string { console.announce("Data", folder) }
    console.announce("Engines", status["engines"]?.string ?? "")
    for line in status["realProviders"]?.array ?? [] {
      console.announce("Provider", line.string ?? "")
    }
    for line in (functions.array ?? []).map(\.functionLine) { console.announce("Function", line) }
    let switches = status["switches"]
    if switches?["triggers"] == .boolean(false) { console.announce("Triggers", "off") }
    if switches?["paused"] == .boolean(true) { console.announce("Deliveries", "paused") }
    if let chaos = switches?["chaos"]?.string { console.announce("Faults", chaos) }
    console.announce("Unfinished", "\(status.count("unfinishedDeliveries")) deliveries")
    let dead = status.count("deadLetters")
    console.announce(
      "Dead letters",
      dead == 0 ? "none" : "\(dead): emulator events list --state deadLettered"
    )
  }
}

extension JSONValue {
  /// The load and the results of a function, as text.
  fileprivate var functionLine: String {
    var parts = ["\(self["name"]?.string ?? ""): \(count("succeeded")) succeeded"]
    for (name, words) in [
      ("skipped", "skipped"), ("deadLettered", "given up"), ("waiting", "waiting"),
      ("running", "running"),
    ] where count(name) > 0 {
      parts.append("\(count(name)) \(words)")
    }
    if self["paused"] == .boolean(true) { parts.append("paused") }
    return parts.joined(separator: ", ")
  }

  fileprivate func count(_ name: String) -> Int64 {
    if case .integer(let number)? = self[name] { number } else { 0 }
  }
}
