import Core
import Rules

/// The description of an upload that a client sends before the content.
struct ObjectUpload: Sendable {
  var bucket: String
  var name: String
  var attributes = ObjectAttributes()
  var conditions = Conditions()
  var checksums = ExpectedChecksums()
  /// The size in bytes that the client has announced, or `nil` if it is unknown.
  var size: Int64?
  var caller = StorageCaller.administrator
}

extension ObjectUpload {
  /// Sets the type that a header has, or the general one.
  mutating func setContentType(_ type: String?) throws(StorageError) {
    do throws(StatusError) {
      try attributes.setContentType(type ?? "application/octet-stream")
    } catch {
      throw StorageError(error)
    }
  }

  /// Sets the type that a header has, unless the metadata has one.
  mutating func setContentTypeIfMissing(_ type: String?) throws(StorageError) {
    if attributes.contentType == nil { try setContentType(type) }
  }
}

/// The checksums that the content must have.
struct ExpectedChecksums: Sendable, Hashable {
  var crc32c: UInt32?
  var md5: [UInt8]?

  /// Checks content.
  ///
  /// - Throws: An error that names the checksum that differs.
  func check(_ content: ObjectContent) throws(StorageError) {
    if let crc32c, crc32c != content.crc32c {
      throw .invalid(
        "Provided CRC32C \(Self.base64(crc32c)) doesn't match calculated CRC32C "
          + "\(Self.base64(content.crc32c))."
      )
    }
    if let md5, md5 != content.md5 {
      throw .invalid(
        "Provided MD5 hash \(Self.base64(md5)) doesn't match calculated MD5 hash "
          + "\(Self.base64(content.md5 ?? []))."
      )
    }
  }

  private static func base64(_ checksum: UInt32) -> String {
    withUnsafeBytes(of: checksum.bigEndian) { Data($0) }.base64EncodedString()
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

/// The sender of a request.
enum StorageCaller: Sendable {
  /// An administrator, for whom no rules hold.
  case administrator
  /// A client of Firebase.
  case client(RulesCaller)

  var author: ObjectCause.Author {
    switch self {
    case .administrator: .administrator
    case .client(let caller): .client(uid: caller.uid)
    }
  }
}
