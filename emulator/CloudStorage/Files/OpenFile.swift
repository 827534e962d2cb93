import Core
import HTTPService

/// An open file, which is closed when nobody uses it any more. Its content can be read even after the
/// file is removed.
final class OpenFile: Sendable {
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Returns: `nil` if it can't be opened; `errno` says why.
  init?(_ path: String, flags: Int32) {
    descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    // If opening has failed, `errno` must keep the reason.
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes bytes at a position.
  ///
  /// - Returns: `false` on failure; `errno` says why. A part of the bytes may be written.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = pwrite(
        descriptor,
        bytes.baseAddress?.advanced(by: offset),
        bytes.count - offset,
        off_t(position) + off_t(offset)
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  /// Fills a buffer with the bytes at a position.
  ///
  /// - Returns: The number of bytes, which is smaller than the buffer only at the end of the file,
  ///   or `nil` on failure; `errno` says why.
  func read(into bytes: UnsafeMutableRawBufferPointer, at position: Int64) -> Int? {
    var offset = 0
    while offset < bytes.count {
      let count = pread(
        descriptor,
        bytes.baseAddress?.advanced(by: offset),
        bytes.count - offset,
        off_t(position) + off_t(offset)
      )
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      offset += count
    }
    return offset
  }

  /// Returns a response's body with a part of the file.
  func body(offset: Int64, count: Int64) -> FileBody {
    FileBody(owner: self, descriptor: descriptor, offset: offset, count: count)
  }

  /// Removes what is after a number of bytes.
  func truncate(to size: Int64) -> Bool { ftruncate(descriptor, off_t(size)) == 0 }

  func synchronize() -> Bool { syncFile(descriptor) }
}

extension OpenFile {
  private static let pieceSize = 256 << 10

  /// Returns the bytes at a position, at most 256 KiB. Without an end it is empty at the end of the
  /// file.
  ///
  /// - Parameter end: The position after the last byte, or `nil` for the end of the file.
  func piece(at position: Int64, upTo end: Int64?) throws(StorageError) -> Data {
    let size = end.map { Int(min(Int64(Self.pieceSize), $0 - position)) } ?? Self.pieceSize
    var piece = Data(count: size)
    let count = piece.withUnsafeMutableBytes { read(into: $0, at: position) }
    guard let count, end == nil || count == size else { throw .file("the object can't be read") }
    return count == size ? piece : piece.prefix(count)
  }
}
