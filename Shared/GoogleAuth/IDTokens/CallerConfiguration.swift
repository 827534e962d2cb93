package import Core
import HTTPClient

/// The configuration of token verification, from environment variables. An empty variable counts as
/// unset.
///
/// - `GOOGLE_CLOUD_PROJECT`, required: the project that tokens must be for.
/// - `FIREBASE_AUTH_EMULATOR_HOST`: if set, only unsigned tokens are accepted.
/// - `APP_CHECK`: `enforce`, or `off`, the default.
/// - `GOOGLE_CLOUD_PROJECT_NUMBER`, required with `enforce`: the project in App Check's tokens.
/// - `ID_TOKEN_KEYS_URL`, `APP_CHECK_KEYS_URL`: URLs of public keys to use instead of Google's.
///   Their host must be this machine.
struct CallerConfiguration: Sendable {
  /// The URL of Firebase Authentication's keys.
  ///
  /// Source: firebase.google.com/docs/auth/admin/verify-id-tokens.
  private static let idTokenKeys =
    "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
  /// The URL of App Check's keys.
  ///
  /// Source: firebase.google.com/docs/app-check/custom-resource-backend.
  private static let appCheckKeys = "https://firebaseappcheck.googleapis.com/v1/jwks"

  let project: String
  let takesUnsignedTokens: Bool
  let idTokenKeysURL: String
  /// The project number in App Check's tokens, or `nil` if App Check isn't enforced.
  let appCheckProjectNumber: String?
  let appCheckKeysURL: String

  /// Creates a configuration from environment variables.
  ///
  /// - Throws: A configuration error that names the variable.
  init(environment: [String: String]) throws(StatusError) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let enforcesAppCheck = try CallerVerifier.enforcesAppCheck(in: environment)
    guard let project = value("GOOGLE_CLOUD_PROJECT") else {
      throw .configuration(.failedPrecondition, "GOOGLE_CLOUD_PROJECT is not set")
    }
    self.project = project
    takesUnsignedTokens = value("FIREBASE_AUTH_EMULATOR_HOST") != nil
    guard !takesUnsignedTokens || project.hasPrefix("demo-") else {
      throw .configuration(
        .failedPrecondition,
        "FIREBASE_AUTH_EMULATOR_HOST is set, but unsigned tokens are accepted only for projects that "
          + "begin with demo-, not for \(quoted(project)): unset it, or change GOOGLE_CLOUD_PROJECT"
      )
    }
    appCheckProjectNumber =
      enforcesAppCheck ? try Self.number(value("GOOGLE_CLOUD_PROJECT_NUMBER")) : nil
    func keysURL(_ name: String, _ standard: String) throws(StatusError) -> String {
      guard let url = value(name) else { return standard }
      guard HTTPRequest(method: "GET", url: url).isToLoopback else {
        throw .configuration(.failedPrecondition, "\(name) is not a URL on this machine")
      }
      return url
    }
    idTokenKeysURL = try keysURL("ID_TOKEN_KEYS_URL", Self.idTokenKeys)
    appCheckKeysURL = try keysURL("APP_CHECK_KEYS_URL", Self.appCheckKeys)
  }

  private static func number(_ text: String?) throws(StatusError) -> String {
    guard let text, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw .configuration(
        .failedPrecondition,
        "GOOGLE_CLOUD_PROJECT_NUMBER is not set or not a number; APP_CHECK=enforce needs it"
      )
    }
    return text
  }
}

extension CallerVerifier {
  /// Returns whether `APP_CHECK` is `enforce`, ignoring case.
  ///
  /// - Throws: A configuration error that names the variable if its value is neither `enforce` nor
  ///   `off`.
  package static func enforcesAppCheck(
    in environment: [String: String]
  ) throws(StatusError) -> Bool {
    switch environment["APP_CHECK"]?.lowercased() {
    case "enforce": return true
    case "off", "", nil: return false
    default: throw .configuration(.failedPrecondition, "APP_CHECK is neither enforce nor off")
    }
  }
}
