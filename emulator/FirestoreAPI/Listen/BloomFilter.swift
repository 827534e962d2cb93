import Core
import Cryptography
import FirestoreProtos
import SwiftProtobuf

/// A Bloom filter: a compact set of names. It contains all names that were added, and by chance
/// some others.
///
/// Firestore's clients compute the bits of a name in the same way, from the two halves of the
/// name's MD5 as little-endian numbers.
struct BloomFilter {
  /// The number of bits for each name. With this number, about one in a thousand other names is
  /// found by mistake.
  private static let bitsPerName = 15
  private static let hashCount = 10

  private var bitmap: [UInt8]
  private let bitCount: Int

  init(of names: [String]) {
    bitCount = names.count * Self.bitsPerName
    bitmap = [UInt8](repeating: 0, count: (bitCount + 7) / 8)
    for name in names {
      let digest = MD5.digest(name.utf8)
      let (first, second) = (Self.number(digest[..<8]), Self.number(digest[8...]))
      for index in 0..<UInt64(Self.hashCount) {
        let bit = Int((first &+ index &* second) % UInt64(bitCount))
        bitmap[bit / 8] |= 1 << UInt8(bit % 8)
      }
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  var proto: ProtoBloomFilter {
    .with {
      $0.bits.bitmap = Data(bitmap)
      $0.bits.padding = Int32(bitmap.count * 8 - bitCount)
      $0.hashCount = bitCount == 0 ? 0 : Int32(Self.hashCount)
    }
  }
}
