package import Core
package import SwiftProtobuf

/// A string key of a protobuf map, compared by its bytes.
///
/// `make protos` makes all maps with string keys use this type instead of `ProtobufString`. With
/// `String` keys, hashing a long run of combining marks would take quadratic time, and the two
/// encodings of é would be the same key.
package struct ByteKeyField: MapKeyType {
  package static var proto3DefaultValue: ByteKey { "" }

  package static func decodeSingular<D: SwiftProtobuf.Decoder>(
    value: inout ByteKey?,
    from decoder: inout D
  ) throws {
    var text = value?.string
    try ProtobufString.decodeSingular(value: &text, from: &decoder)
    value = text.map { ByteKey($0) }
  }

  package static func decodeRepeated<D: SwiftProtobuf.Decoder>(
    value: inout [ByteKey],
    from decoder: inout D
  ) throws {
    var texts: [String] = []
    try ProtobufString.decodeRepeated(value: &texts, from: &decoder)
    value += texts.map { ByteKey($0) }
  }

  package static func visitSingular<V: Visitor>(
    value: ByteKey,
    fieldNumber: Int,
    with visitor: inout V
  ) throws {
    try visitor.visitSingularStringField(value: value.string, fieldNumber: fieldNumber)
  }

  package static func visitRepeated<V: Visitor>(
    value: [ByteKey],
    fieldNumber: Int,
    with visitor: inout V
  ) throws {
    try visitor.visitRepeatedStringField(value: value.map(\.string), fieldNumber: fieldNumber)
  }

  package static func visitPacked<V: Visitor>(
    value: [ByteKey],
    fieldNumber: Int,
    with visitor: inout V
  ) throws {
    try visitRepeated(value: value, fieldNumber: fieldNumber, with: &visitor)
  }
}
