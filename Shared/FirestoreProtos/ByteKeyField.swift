package import Core
package import SwiftProtobuf

/// A string of the wire that is the key of a map, told apart by its bytes.
///
/// `make protos` puts it in the place of `ProtobufString` wherever a map's key is a string: as a
/// `String` a long run of combining marks would cost n² to hash, and both encodings of é would be one
/// field.
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
