import Core
import Cryptography

/// The writer of an object's content, which computes the checksums while the content arrives.
struct ContentWriter: Sendable {
  private static let readSize = 1 << 20

  /// The name of the file.
  let name: String
  private let folder: ObjectFolder
  /// The open file, or `nil` while nothing is written.
  private var file: OpenFile?
  private(set) var size: Int64 = 0
  private var crc32c = CRC32C()
  private var md5 = MD5Stream()

  /// Creates a new file.
  init(in folder: ObjectFolder) throws(StorageError) {
    name = ObjectFolder.newName()
    self.folder = folder
    file = try folder.open(name, flags: O_RDWR | O_CREAT | O_EXCL)
  }

  /// Continues the file of an upload that an earlier process has begun, and reads what it contains.
  init(continuing name: String, in folder: ObjectFolder) throws(StorageError) {
    self.name = name
    self.folder = folder
    let file = try folder.open(name, flags: O_RDWR)
    self.file = file
    var buffer = [UInt8](repeating: 0, count: Self.readSize)
    while true {
      let position = size
      let count = buffer.withUnsafeMutableBytes { file.read(into: $0, at: position) }
      guard let count else { throw .file("the upload's file can't be read") }
      guard count > 0 else { break }
      buffer.withUnsafeBytes { add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    crc32c.append(bytes)
    md5.append(bytes)
    size += Int64(bytes.count)
  }

  /// Appends bytes.
  ///
  /// - Throws: An error with the status 507 if the disk is full. The bytes before stay.
  mutating func append(_ bytes: Data) throws(StorageError) {
    let (file, size) = (try openFile(), size)
    guard bytes.withUnsafeBytes({ file.write($0, at: size) }) else {
      let error = StorageError.file("the object can't be written")
      _ = file.truncate(to: size)
      throw error
    }
    bytes.withUnsafeBytes { add($0) }
  }

  private mutating func openFile() throws(StorageError) -> OpenFile {
    if let file { return file }
    let opened = try folder.open(name, flags: O_RDWR)
    file = opened
    return opened
  }

  /// Syncs the content to the disk, if the folder is durable, and closes the file. It is opened again
  /// for further bytes.
  mutating func pause() throws(StorageError) {
    defer { file = nil }
    guard folder.isDurable, let file, !file.synchronize() else { return }
    throw .file("the object can't be synced")
  }

  /// Returns the content so far, after it is synced.
  mutating func finish() throws(StorageError) -> ObjectContent {
    try pause()
    return ObjectContent(file: name, size: size, crc32c: crc32c.checksum, md5: md5.digest)
  }

  /// Removes the file.
  func discard() { folder.remove(name) }
}

/// A file with the content of an object, and its checksums.
struct ObjectContent: Sendable, Hashable {
  /// The name of the file.
  var file: String
  var size: Int64
  var crc32c: UInt32
  /// The MD5, or `nil` for a composed object.
  var md5: [UInt8]?
}
