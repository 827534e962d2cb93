import ArgumentParser
import Core
import HTTPClient

struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain why a document, a field, a node or an object exists, or why it is missing.",
    usage: """
      emulator why <document> [<field>] [<options>]
      emulator why <node> --ref [--instance <name>] [<options>]
      emulator why gs://<bucket>/<object> [<options>]
      """,
    discussion: """
      Prints who wrote the document, field, node or object and when, then the chain of writes and \
      functions that led to it, the first cause first. For a document, prints also which functions \
      its changes triggered and what they wrote. If it is missing, prints who deleted it, or the \
      state of the functions that would write it.

      Examples:
        emulator why conversations/trip/messages/thanks
        emulator why conversations/trip/messages/thanks translations.it
        emulator why members/trip/sarah --ref
        emulator why gs://demo-worldchat.appspot.com/avatars/sarah/portrait.png
      """
  )

  @Argument(help: "Path of the document, or of the node with --ref, or gs:// and an object.")
  var document: String

  @Argument(help: "Path of a field, such as translations.it. (default: the whole document)")
  var field: String?

  @Flag(help: "The path is a node's of the Realtime Database.")
  var ref = false

  @Option(
    help: ArgumentHelp(
      "The name of the Realtime Database. (default: the project's, PROJECT-default-rtdb)",
      valueName: "name"
    )
  )
  var instance: String?

  @Option(help: ArgumentHelp("Database id.", valueName: "id"))
  var database = "(default)"

  @OptionGroup var projectOption: ProjectOption

  func validate() throws {
    guard !ref || field == nil else {
      throw ValidationError("--ref and a field exclude each other")
    }
    guard ref || instance == nil else { throw ValidationError("--instance needs --ref") }
    guard object == nil || !ref && field == nil else {
      throw ValidationError("an object has neither --ref nor a field")
    }
    guard object != nil || !document.hasPrefix("gs://") else {
      throw ValidationError("name an object: gs://BUCKET/NAME")
    }
  }

  /// The bucket and the name of the object, or `nil` if the path is of something else.
  private var object: (bucket: String, name: String)? {
    guard document.hasPrefix("gs://") else { return nil }
    let parts = document.dropFirst(5).split(separator: "/", maxSplits: 1)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  func run() async throws {
    let project = try projectOption.project()
    var query = [("project", project), ("database", database)]
    if let object {
      query += [("object", object.name), ("bucket", object.bucket)]
    } else {
      // Paths in consoles and logs often begin with a slash.
      query.append((ref ? "ref" : "document", String(document.trimmingPrefix("/"))))
    }
    if let field { query.append(("field", field)) }
    if let instance { query.append(("instance", instance)) }
    let answer = try await EmulatorClient(project: project).send(
      "GET",
      "ui",
      "/api/why?"
        + query.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    )
    print((answer["sentence"]?.string ?? "").escapedForTerminal)
    printSteps(answer["chain"])
    if let effects = answer["effects"]?.array, !effects.isEmpty {
      print("It triggered:")
      printSteps(answer["effects"])
    }
    if let parent = answer["parent"]?.string {
      print("The document above it, \(parent.escapedForTerminal), doesn't exist.")
    }
  }

  private func printSteps(_ steps: JSONValue?) {
    for step in steps?.array ?? [] {
      let what = (step["what"]?.string ?? "").escapedForTerminal
      print("  \(step["time"]?.string ?? "")  \(what)")
    }
  }
}
