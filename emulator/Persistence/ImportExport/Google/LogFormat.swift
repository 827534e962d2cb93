/// LevelDB's log format, in which Google's exports store their records.
///
/// A file consists of blocks of 32 KiB. A record that doesn't fit in a block is split into
/// fragments. Each fragment begins with a header of seven bytes: the masked checksum of its type
/// and data, its length, and its type. If fewer than seven bytes are left in a block, they are
/// zeros.
enum LogFormat {
  static let blockBytes = 32 << 10
  static let headerBytes = 7

  enum FragmentType: UInt8 {
    case full = 1
    case first, middle, last
  }
}
