import ArgumentParser
import Authentication
import Core
import Cryptography
import HTTPService
import Services

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Print an unsigned ID token of a user.",
    usage: "emulator token --uid <uid> [<options>]",
    discussion: """
      Send the token in the header `Authorization: Bearer <token>` to use functions or Firestore \
      as that user. If the user has an account in the project's running emulator, the token has \
      the account's email address, claims and provider. The emulator accepts tokens of other users \
      for demo- projects only.

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

  func run() async throws {
    let project = try projectOption.project()
    var members: JSONObject = [:]
    if let claims {
      guard let object = (try? JSONValue(parsing: Data(claims.utf8)))?.object else {
        throw StatusError(.invalidArgument, "--claims is not a JSON object")
      }
      members = object
    }
    guard CallerIdentity.isUserID(uid) else {
      throw StatusError(.invalidArgument, "--uid: an id has 1 to 128 characters")
    }
    let account = try await account(in: project)
    guard project.hasPrefix("demo-") || account != nil else {
      throw StatusError(
        .invalidArgument,
        "--project \(project): a user without an account in a running emulator has a token in demo- "
          + "projects only: use an id that begins with demo-"
      )
    }
    let now = Int64(time(nil))
    guard let account else {
      print(try UnsignedToken.encode(uid: uid, project: project, claims: members, now: now))
      return
    }
    do throws(AuthenticationError) {
      print(try TokenIssuer(project: project).idToken(for: account, claims: members, at: now))
    } catch {
      throw StatusError(.internal, error.message)
    }
  }

  /// Returns the user's account in the project's running emulator, or `nil` if there is none.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the account is disabled.
  private func account(in project: String) async throws -> Account? {
    let path = "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:lookup"
    let answer: JSONValue
    do throws(StatusError) {
      answer = try await EmulatorClient(project: project)
        .send("POST", "auth", path, ["localId": .array([.string(uid)])])
    } catch {
      // Without an emulator or its Authentication, there are no accounts. Nor are there any in
      // another project, such as one of tests of rules.
      let isOfOtherProject = error.message.hasPrefix("PROJECT_NOT_FOUND")
      guard error.code == .notFound || (isOfOtherProject && project.hasPrefix("demo-")) else {
        throw error
      }
      return nil
    }
    guard let json = answer["users"]?.array?.first else { return nil }
    let account = try Account(json: json)
    guard account.disabled != true else {
      throw StatusError(.failedPrecondition, "--uid \(uid): the account is disabled")
    }
    return account
  }
}
