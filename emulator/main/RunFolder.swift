import Core
import Cryptography

/// A folder of this run, gone when it ends: it holds the key file of the service account as which
/// the functions ask for access tokens, and the tokens they got.
struct RunFolder: Sendable {
  private static let prefix = "worldchat-emulator-"

  let path: String
  private let temporaryDirectory: String
  /// Held as long as the process lives, however it ends.
  private let lock: Int32

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

  /// Makes the folder, readable by nobody else.
  init(temporaryDirectory: String) throws(StatusError) {
    self.temporaryDirectory = temporaryDirectory
    var template = Array("\(temporaryDirectory)/\(Self.prefix)XXXXXX\0".utf8CString)
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
    // Another emulator takes a lock file that nobody holds for a killed emulator's, so it gets its
    // name when it is held.
    let new = Self.lock(of: path) + ".new"
    lock = open(new, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0, lockFile(lock), rename(new, Self.lock(of: path)) == 0 else {
      throw StatusError(.failedPrecondition, "\(path) can't be locked: \(lastSystemError())")
    }
  }

  private static func lock(of path: String) -> String { "\(path)/lock" }

  private func sweep() {
    let names = try? FileManager.default.contentsOfDirectory(atPath: temporaryDirectory)
    for name in names ?? [] where name.hasPrefix(Self.prefix) {
      let path = "\(temporaryDirectory)/\(name)"
      // One without a lock is just being made.
      let lock = open(Self.lock(of: path), O_RDWR | O_CLOEXEC)
      guard lock >= 0 else { continue }
      if lockFile(lock) { try? FileManager.default.removeItem(atPath: path) }
      close(lock)
    }
  }

  /// Where GOOGLE_APPLICATION_CREDENTIALS points.
  var credentials: String { "\(path)/service-account.json" }

  /// - Parameters:
  ///   - account: the key pair the functions sign with.
  ///   - tokenURI: of the OAuth double.
  func writeCredentials(
    _ account: RSAKey,
    project: String,
    tokenURI: String
  ) throws(StatusError) {
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

  /// Removes the folder, and those of emulators that were killed. At the end, for the folder of
  /// temporary files may be large, and nobody waits.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
    sweep()
  }
}

extension [String: String] {
  /// The folder of temporary files that an environment names, without a slash at the end.
  var temporaryDirectory: String {
    let path = self["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
  }
}
