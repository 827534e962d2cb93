import ArgumentParser
import Core
import Cryptography
import HTTPService
import Services

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Print an unsigned ID token of a user.",
    usage: "emulator token --uid <uid> [<options>]",
    discussion: """
      Send the token in the header `Authorization: Bearer <token>` to use functions or Firestore \
      as that user. The emulator accepts unsigned tokens for demo- projects only.

      Examples:
        emulator token --uid marco
        emulator token --uid marco --claims '{"admin":true}'
      """
  )

  @Option(help: "The user's id.")
  var uid: String

  @Option(help: ArgumentHelp("Additional claims, as a JSON object.", valueName: "json"))
  var claims: String?

  @OptionGroup var projectOption: ProjectOption

  func run() throws {
    let project = try projectOption.project()
    guard project.hasPrefix("demo-") else {
      throw StatusError(
        .invalidArgument,
        "--project \(project): unsigned tokens are for demo- projects only: use an id that begins "
          + "with demo-"
      )
    }
    var members: JSONObject = [:]
    if let claims {
      guard let object = (try? JSONValue(parsing: Data(claims.utf8)))?.object else {
        throw StatusError(.invalidArgument, "--claims is not a JSON object")
      }
      members = object
    }
    print(
      try UnsignedToken.encode(
        uid: uid,
        project: project,
        claims: members,
        now: Int64(time(nil))
      )
    )
  }
}
