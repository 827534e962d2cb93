import Core

/// SQLite's log of pages, looked at without SQLite, which takes the first frame that doesn't check
/// for the log's end and says nothing of the commits behind it.
///
/// Every commit of ours is synced before the next begins. So only the last transaction may be torn,
/// and a frame that was written upon the end of an earlier one proves that the disk had all before
/// it: what doesn't check there is damaged. Frames that follow upon nothing are of writes that were
/// given up, or of the log's last use, and prove nothing.
///
/// What it can't tell: damage in the very last transaction looks like a torn write, and so it does
/// in the transaction before if what is damaged there is the mark of its end.
struct WriteAheadLog {
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  private static let pageSizes = 512...65_536

  let path: String

  /// Checks the log, if there is one, and brings it to the disk: an earlier run may have died
  /// before it synced what it wrote last, and more is about to follow upon that.
  ///
  /// - Throws: `DATA_LOSS` if commits are there that SQLite would drop.
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
        // What it should be is known of the first that is wrong, and not of those after it.
        actual: firstFault == nil || firstFault == number ? sums[1] : written
      )
    }
  }

  /// - Returns: fewer bytes only at the file's end.
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
  /// What a frame, or the header, is to the frame behind it.
  private struct Entry {
    var endsTransaction: Bool
    /// The checksum that stands in it, and the one that it has.
    var written: Sum
    var actual: Sum
  }

  /// The order of the bytes in the words that are summed up; all else has the highest first.
  private enum ByteOrder: UInt32 {
    case lowestFirst = 0x377F_0682
    case highestFirst = 0x377F_0683
  }

  /// What the log's header says, if that checks.
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

  /// A checksum, which goes on from one frame to the next.
  private struct Sum: Equatable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    init(in bytes: [UInt8], at offset: Int) {
      first = bytes.bigEndianWord(at: offset)
      second = bytes.bigEndianWord(at: offset + 4)
    }

    /// - Parameter bytes: a multiple of 8.
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
