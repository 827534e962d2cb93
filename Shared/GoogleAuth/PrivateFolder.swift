import Platform

/// A folder that nobody but its user can look into, with small files that nobody else can have made.
///
/// Everything is done relative to the folder as it was opened and checked: whoever exchanges it or
/// puts a link in its place afterwards changes nothing. No failure of a file is an error here; there
/// just is no file.
final class PrivateFolder: Sendable {
  /// No file of ours is as long.
  private static let maximumBytes = 64 * 1024

  private let descriptor: Int32

  /// Opens the folder. If it isn't there it is made, with what leads to it, for this user alone.
  ///
  /// - Returns: nil if it can't be made, is a link, belongs to somebody else, or others may look
  ///   into it.
  init?(_ path: String) {
    Self.make(path)
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { return nil }
    guard Self.isPrivate(descriptor, S_IFDIR) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private static func make(_ path: String) {
    guard mkdir(path, 0o700) != 0, errno == ENOENT, path.directory != path else { return }
    make(path.directory)
    mkdir(path, 0o700)
  }

  private static func isPrivate(_ descriptor: Int32, _ type: mode_t) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == type
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }

  /// What a file holds; nil if there is none, or it is no plain file of this user's that nobody else
  /// may read or write.
  func content(of name: String) -> Data? {
    // A pipe with this name would let a plain `open` wait for its other end.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard Self.isPrivate(file, S_IFREG) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
    var count = 0
    while count < bytes.count {
      let received = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if received < 0 && errno == EINTR { continue }
      guard received >= 0 else { return nil }
      guard received > 0 else { return Data(bytes[..<count]) }
      count += received
    }
    return nil
  }

  /// Replaces a file, whatever it was: readers see the old content or the new, nothing between.
  ///
  /// - Parameter name: of a file that nobody else writes at the same time.
  func replace(_ name: String, with content: Data) {
    let new = "\(name).new"
    // What a killed process left.
    unlinkat(descriptor, new, 0)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(descriptor, new, flags, 0o600)
    guard file >= 0 else { return }
    let isWritten = writeAll(content, to: file)
    guard close(file) == 0, isWritten, renameat(descriptor, new, descriptor, name) == 0 else {
      unlinkat(descriptor, new, 0)
      return
    }
  }

  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Takes a name for this process alone, until the lock is released or the process ends, however
  /// it does. The file stays: to remove it would give the name to two.
  func lock(_ name: String) -> LockAttempt {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = openat(descriptor, "\(name).lock", flags, 0o600)
    guard file >= 0 else { return .impossible }
    if lockFile(file) { return .taken(FileLock(file)) }
    let isBusy = errno == EWOULDBLOCK
    close(file)
    return isBusy ? .busy : .impossible
  }

  enum LockAttempt {
    case taken(FileLock)
    /// Another process has it.
    case busy
    case impossible
  }
}

/// A lock as long as somebody holds this object.
final class FileLock: Sendable {
  private let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}
