import Cryptography

extension CRC32C {
  /// Returns the masked checksum, which is the form that log files contain.
  ///
  /// A checksum is weak if the data itself contains checksums of the same form. The mask avoids
  /// that.
  static func masked(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let checksum = checksum(bytes)
    return (checksum >> 15 | checksum << 17) &+ 0xA282_EAD8
  }
}
