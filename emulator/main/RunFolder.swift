import Cryptography
import JSONCoding
import Platform
import RPCStatus

/// A folder of this run, gone when it ends: it holds the key file of the service account as which
/// the functions ask for access tokens.
struct RunFolder: Sendable {
  let path: String
  /// The key pair in the key file.
  let account: RSAKey

  private struct KeyFile: Encodable {
    var type = "service_account"
    var projectID: String
    var privateKeyID = "emulator"
    var privateKey: String
    var clientEmail: String
    var tokenURI: String

    private enum CodingKeys: String, CodingKey {
      case type
      case projectID = "project_id"
      case privateKeyID = "private_key_id"
      case privateKey = "private_key"
      case clientEmail = "client_email"
      case tokenURI = "token_uri"
    }
  }

  /// Makes the folder, readable by nobody else, and a new key.
  init(temporaryDirectory: String) throws(StatusError) {
    var template = Array("\(temporaryDirectory)/worldchat-emulator-XXXXXX\0".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StatusError(
        .failedPrecondition,
        "\(temporaryDirectory) can't be written: \(lastSystemError())"
      )
    }
    path = String(
      decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
    // It guards nothing but our own double, and a key of 2,048 bits costs half a second.
    account = try RSAKey.generate(bits: 1_024)
  }

  /// Where GOOGLE_APPLICATION_CREDENTIALS points.
  var credentials: String { "\(path)/service-account.json" }

  /// - Parameter tokenURI: of the OAuth double.
  func writeCredentials(project: String, tokenURI: String) throws(StatusError) {
    let file = KeyFile(
      projectID: project,
      privateKey: try account.pem(),
      clientEmail: "emulator@\(project).iam.gserviceaccount.com",
      tokenURI: tokenURI
    )
    guard let data = try? JSON.encode(file) else {
      throw StatusError(.internal, "the key file can't be encoded")
    }
    let descriptor = open(credentials, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else {
      throw StatusError(
        .failedPrecondition,
        "\(credentials) can't be written: \(lastSystemError())"
      )
    }
    defer { close(descriptor) }
    guard writeAll(data, to: descriptor) else {
      throw StatusError(
        .failedPrecondition,
        "\(credentials) can't be written: \(lastSystemError())"
      )
    }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
