import Core
import Cryptography

/// The temporary folder of one run, which is removed at the end.
///
/// The folder contains a lock file, and the key file of a service account, with which functions get
/// access tokens.
struct RunFolder: Sendable {
  private static let prefix = "worldchat-emulator-"

  let path: String
  private let temporaryDirectory: String
  /// The descriptor of the lock file. The system releases the lock when the process ends for any
  /// reason.
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

  /// Creates the folder, which only the current user can read.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the folder can't be created or locked.
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
    // Another emulator removes a folder whose lock file isn't locked, because the folder's emulator
    // was killed. So the file gets this name only after it is locked.
    let new = Self.lock(of: path) + ".new"
    lock = open(new, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0, lockFile(lock), rename(new, Self.lock(of: path)) == 0 else {
      throw StatusError(.failedPrecondition, "\(path) can't be locked: \(lastSystemError())")
    }
  }

  private static func lock(of path: String) -> String { "\(path)/lock" }

  /// Removes the folders of killed emulators.
  private func sweep() {
    let names = try? FileManager.default.contentsOfDirectory(atPath: temporaryDirectory)
    for name in names ?? [] where name.hasPrefix(Self.prefix) {
      let path = "\(temporaryDirectory)/\(name)"
      // A folder without a lock file is still being created.
      let lock = open(Self.lock(of: path), O_RDWR | O_CLOEXEC)
      guard lock >= 0 else { continue }
      if lockFile(lock) { try? FileManager.default.removeItem(atPath: path) }
      close(lock)
    }
  }

  /// The path of the key file, the value of GOOGLE_APPLICATION_CREDENTIALS.
  var credentials: String { "\(path)/service-account.json" }

  /// Writes the key file.
  ///
  /// - Parameters:
  ///   - account: The key pair that functions sign with.
  ///   - tokenURI: The URL of the OAuth fake.
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

  /// Removes the folder and those of killed emulators.
  ///
  /// The system's temporary folder may be large. So it is searched at the end of a run, when no
  /// start is delayed.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
    sweep()
  }
}

extension [String: String] {
  /// The path of the environment's temporary folder, without a trailing slash.
  var temporaryDirectory: String {
    let path = self["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
  }
}
