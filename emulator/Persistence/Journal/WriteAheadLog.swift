import Core

/// A check of SQLite's write-ahead log that finds lost commits. It doesn't use SQLite.
///
/// SQLite treats the first invalid frame as the end of the log, and silently drops the commits
/// after it.
///
/// The emulator syncs every transaction before the next one begins. So after a power cut, only the
/// last transaction may be incomplete. Each frame's checksum continues the checksum of the frame
/// before it. If a frame continues the last frame of a transaction, this transaction and all before
/// it were once on disk. So an invalid frame in them is damaged, not incompletely written. Other
/// frames after an invalid frame prove nothing: they are from incomplete writes, or from an earlier
/// use of the log.
///
/// Some damage can't be found. Damage in the last transaction looks like an incomplete write. So
/// does damage in the transaction before it, if it changes the field that marks the transaction's
/// end.
struct WriteAheadLog {
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  private static let pageSizes = 512...65_536

  let path: String

  /// Checks the log and syncs it to disk. Does nothing if there is no log.
  ///
  /// The sync is needed because an earlier process may have ended before it synced its last write.
  /// Without it, new transactions could follow one that isn't on disk.
  ///
  /// - Throws: `DATA_LOSS` if SQLite would drop commits.
  func check() throws(StatusError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return }
    var information = stat()
    guard descriptor >= 0, fstat(descriptor, &information) == 0 else { throw unreadable() }
    defer { close(descriptor) }
    guard information.st_size > Self.headerBytes else { return }
    let bytes = try read(descriptor, Self.headerBytes, at: 0)
    if let header = Header(bytes) {
      try checkFrames(of: descriptor, after: header)
    } else if Int(information.st_size) - Self.headerBytes
      >= Self.frameHeaderBytes + Self.pageSizes.lowerBound
    {
      // The header is synced before the first frame is written.
      throw .damaged(path, "its header is wrong")
    }
    guard syncFile(descriptor) else { throw unreadable() }
  }

  private func checkFrames(of descriptor: Int32, after header: Header) throws(StatusError) {
    let frameBytes = Self.frameHeaderBytes + header.pageSize
    var previous = Entry(endsTransaction: true, written: header.sum, actual: header.sum)
    var firstFault: Int?
    for number in 1... {
      let offset = Self.headerBytes + (number - 1) * frameBytes
      let bytes = try read(descriptor, frameBytes, at: offset)
      guard bytes.count == frameBytes else { return }
      let written = Sum(in: bytes, at: 16)
      let sums = [previous.written, previous.actual].map { sum in
        var sum = sum
        sum.add(bytes[..<8], header.order)
        sum.add(bytes[Self.frameHeaderBytes...], header.order)
        return sum
      }
      let follows = header.salts.elementsEqual(bytes[8..<16]) && sums.contains(written)
      if let firstFault {
        if follows, previous.endsTransaction {
          throw .damaged(path, "frame \(firstFault) is wrong, and commits follow it")
        }
      } else if !follows {
        firstFault = number
      }
      previous = Entry(
        endsTransaction: bytes[4..<8].contains { $0 != 0 },
        written: written,
        // The correct checksum is known for the first invalid frame, but not for the frames after
        // it.
        actual: firstFault == nil || firstFault == number ? sums[1] : written
      )
    }
  }

  /// Reads bytes at an offset.
  ///
  /// - Returns: The bytes. There are fewer than `count` only at the end of the file.
  private func read(
    _ descriptor: Int32,
    _ count: Int,
    at offset: Int
  ) throws(StatusError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = pread(descriptor, &bytes, count, off_t(offset))
    guard found >= 0 else { throw unreadable() }
    return Array(bytes.prefix(found))
  }

  private func unreadable() -> StatusError {
    StatusError(.failedPrecondition, "\(path) can't be read: \(lastSystemError())")
  }
}

extension WriteAheadLog {
  /// The properties of a frame, or of the header, that the check of the next frame needs.
  private struct Entry {
    var endsTransaction: Bool
    /// The checksum that the frame contains, and the checksum computed from its bytes.
    var written: Sum
    var actual: Sum
  }

  /// The byte order of the words that checksums are computed from. All other numbers are
  /// big-endian.
  private enum ByteOrder: UInt32 {
    case lowestFirst = 0x377F_0682
    case highestFirst = 0x377F_0683
  }

  /// The valid header of a log.
  private struct Header {
    let order: ByteOrder
    let pageSize: Int
    let salts: [UInt8]
    let sum: Sum

    init?(_ bytes: [UInt8]) {
      var sum = Sum()
      let magic = bytes.bigEndianWord(at: 0)
      guard let order = ByteOrder(rawValue: magic) else { return nil }
      sum.add(bytes[..<24], order)
      pageSize = Int(bytes.bigEndianWord(at: 8))
      guard sum == Sum(in: bytes, at: 24), WriteAheadLog.pageSizes.contains(pageSize),
        pageSize.isMultiple(of: 8)
      else { return nil }
      self.order = order
      self.sum = sum
      salts = Array(bytes[16..<24])
    }
  }

  /// A cumulative checksum, which each frame continues.
  private struct Sum: Equatable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    init(in bytes: [UInt8], at offset: Int) {
      first = bytes.bigEndianWord(at: offset)
      second = bytes.bigEndianWord(at: offset + 4)
    }

    /// Adds bytes to the checksum.
    ///
    /// - Parameter bytes: The bytes. Their number must be a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder) {
      bytes.withUnsafeBytes { buffer in
        for offset in stride(from: 0, to: buffer.count, by: 8) {
          let (one, two) = (
            buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
            buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          )
          switch order {
          case .lowestFirst:
            first &+= UInt32(littleEndian: one) &+ second
            second &+= UInt32(littleEndian: two) &+ first
          case .highestFirst:
            first &+= UInt32(bigEndian: one) &+ second
            second &+= UInt32(bigEndian: two) &+ first
          }
        }
      }
    }
  }
}
