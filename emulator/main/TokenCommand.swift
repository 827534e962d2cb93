import ArgumentParser
import Core
import HTTPService
import Services

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Print an unsigned ID token, to call a function or Firestore as somebody."
  )

  @Option(help: "The user's id.")
  var uid: String

  @Option(help: "More claims, a JSON object.")
  var claims: String?

  @OptionGroup var projectOption: ProjectOption

  func run() throws {
    let project = try projectOption.project()
    guard project.hasPrefix("demo-") else {
      throw StatusError(
        .invalidArgument,
        "--project: unsigned tokens are for demo- projects only"
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
