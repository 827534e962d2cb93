/// LevelDB's log format, in which Google's exports keep their records.
///
/// A file is blocks of 32 KiB. A record is cut into fragments where a block ends; before each
/// fragment are seven bytes: the masked checksum of its type and data, its length and its type. A
/// block's last bytes are zeros if there are fewer than seven.
enum LogFormat {
  static let blockBytes = 32 << 10
  static let headerBytes = 7

  enum FragmentType: UInt8 {
    case full = 1
    case first, middle, last
  }
}
