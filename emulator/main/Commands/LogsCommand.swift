import ArgumentParser
import Core
import FirestoreModel

struct LogsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logs",
    abstract: "Print what functions have written to stderr.",
    usage: "emulator logs [<options>]",
    discussion: """
      A line has the time, function, severity and message, then the other fields of a line that is \
      JSON, except objects and lists. The newest lines are kept.

      Examples:
        emulator logs --function translateMessage
        emulator logs --document conversations/trip/messages/thanks
        emulator logs -f
      """
  )

  /// The time between two questions for new lines with `--follow`.
  private static let pause = Duration.milliseconds(200)

  @Flag(name: .shortAndLong, help: "Print new lines as functions write them, until Ctrl-C.")
  var follow = false

  @Option(help: ArgumentHelp("Only lines of this function.", valueName: "name"))
  var function: String?

  @Option(
    help: ArgumentHelp(
      "Only lines about events of this document, node or object.",
      valueName: "path"
    )
  )
  var document: String?

  @Option(help: ArgumentHelp("Maximum number of lines; the newest are printed.", valueName: "n"))
  var limit = 200

  @Flag(help: "Print JSON, one line for each entry, as GET /api/logs returns it.")
  var json = false

  @OptionGroup var projectOption: ProjectOption

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit is 0 or more") }
  }

  func run() async throws {
    let client = try EmulatorClient(project: projectOption.project())
    let console = Console(descriptor: STDOUT_FILENO)
    var query = ["limit=\(limit)"]
    if let function { query.append("function=\(PercentEncoding.encode(function))") }
    if let document { query.append("document=\(PercentEncoding.encode(document))") }
    var last: Int64 = 0
    while true {
      let answer = try await client.send(
        "GET",
        "ui",
        "/api/logs?\(query.joined(separator: "&"))&after=\(last)"
      )
      for entry in answer.array ?? [] {
        if case .integer(let number)? = entry["number"] { last = number }
        let line =
          json
          ? String(decoding: try JSON.encode(entry), as: UTF8.self) : entry.logLine(console)
        console.print(line)
      }
      if !follow, last == 0, !json {
        Console(descriptor: STDERR_FILENO).warn("no log lines")
      }
      guard follow, !console.isClosed else { return }
      query[0] = "limit=10000"
      try await Task.sleep(for: Self.pause)
    }
  }
}

extension JSONValue {
  /// A log entry as text. A message of several lines keeps them, indented.
  func logLine(_ console: Console) -> String {
    func text(_ name: String) -> String { self[name]?.string ?? "" }
    let severity = text("severity")
    let style: TerminalStyle =
      switch severity {
      case "WARNING": .yellow
      case "ERROR", "CRITICAL", "ALERT", "EMERGENCY": .red
      default: .faint
      }
    let time = (try? Timestamp(text("time")))?.localTimeOfDay ?? text("time")
    let details = (self["details"]?.object ?? [:]).compactMap { name, value in
      value.string.map { "\(name)=\($0)".escapedForTerminal }
    }.sorted()
    var parts = [console.styled(time, .faint), console.styled(text("function"), .bold)]
    if severity != "DEFAULT" { parts.append(console.styled(severity, style)) }
    let lines = text("message").split(separator: "\n", omittingEmptySubsequences: false)
    parts.append(lines.map { String($0).escapedForTerminal }.joined(separator: "\n    "))
    return (parts + details.map { console.styled($0, .faint) }).joined(separator: "  ")
  }
}
