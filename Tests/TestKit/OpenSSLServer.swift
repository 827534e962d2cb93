import Core
package import Foundation

/// An HTTPS server, run by the `openssl` tool, with a self-signed certificate for "localhost".
package final class OpenSSLServer {
  package static let isInstalled = run(["version"]) == 0

  package let port: String
  /// The folder with the certificate, under two names: `certificate.pem` and the hash that OpenSSL
  /// looks up.
  package let directory: URL
  private let process = Process()

  /// The path of the certificate file, in PEM format.
  package var certificate: String { directory.appending(path: "certificate.pem").path }

  package init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let key = directory.appending(path: "key").path
    let certificate = directory.appending(path: "certificate.pem").path
    guard
      Self.run([
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-keyout", key, "-out", certificate,
      ]) == 0, Self.run(["rehash", directory.path]) == 0
    else { throw POSIXError(.EINVAL) }
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificate, "-key", key,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    var port = ""
    while port.isEmpty {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw POSIXError(.EPIPE) }
      text += String(decoding: bytes, as: UTF8.self)
      // The tool prints `ACCEPT 127.0.0.1:PORT` and a line feed.
      if let match = text.firstMatch(of: /ACCEPT .*:([0-9]+)\n/) { port = String(match.1) }
    }
    self.port = port
  }

  /// Kills the server.
  ///
  /// The signal must be SIGKILL: the child inherits the signal mask of the thread that started it,
  /// and Dispatch's threads block SIGTERM.
  package func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }

  private static func run(_ arguments: [String]) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
