package import Core
import Cryptography

/// A new file of an export, which is written from beginning to end.
package final class FileOutput {
  private static let chunk = 256 << 10

  package let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var digest = SHA256Stream()
  /// The number of bytes written, including those that aren't flushed yet.
  private(set) var count = 0

  /// Creates the file.
  ///
  /// - Parameter permissions: Who may read the file.
  package init(path: String, permissions: mode_t = 0o644) throws(StatusError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw .file(path, "can't be written") }
    pending.reserveCapacity(Self.chunk + (64 << 10))
  }

  deinit { close(descriptor) }

  package func write(_ bytes: some Collection<UInt8>) throws(StatusError) {
    pending.append(contentsOf: bytes)
    count += bytes.count
    if pending.count >= Self.chunk { try flush() }
  }

  /// Flushes the written bytes, and syncs the file to disk.
  ///
  /// - Returns: The SHA-256 of the file, in hexadecimal.
  package func finish() throws(StatusError) -> String {
    try flush()
    guard syncFile(descriptor) else { throw .file(path, "can't be written") }
    return digest.hexadecimal
  }

  private func flush() throws(StatusError) {
    pending.withUnsafeBytes { digest.append($0) }
    guard writeAll(pending, to: descriptor) else { throw .file(path, "can't be written") }
    pending.removeAll(keepingCapacity: true)
  }
}
