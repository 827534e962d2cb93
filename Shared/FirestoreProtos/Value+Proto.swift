package import Core
package import FirestoreModel
import SwiftProtobuf

extension Value {
  /// Creates a value from a protobuf message.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a value without a type, and for a type that only Firestore's
  ///   pipelines support.
  package init(_ proto: ProtoValue) throws(StatusError) {
    switch proto.valueType {
    case .stringValue(let string): self = .string(string)
    case .integerValue(let integer): self = .integer(integer)
    case .doubleValue(let double): self = .double(double)
    case .booleanValue(let boolean): self = .boolean(boolean)
    case .timestampValue(let time): self = .timestamp(try Timestamp(time))
    case .mapValue(let map): self = .map(try Fields(map.fields))
    case .arrayValue(let array): self = .array(try [Value](array.values))
    case .nullValue: self = .null
    case .bytesValue(let data): self = .bytes(data)
    case .referenceValue(let name): self = .reference(name)
    case .geoPointValue(let point):
      self = .geoPoint(latitude: point.latitude, longitude: point.longitude)
    case .fieldReferenceValue: throw Self.unsupported("FIELD_REFERENCE_VALUE")
    case .variableReferenceValue: throw Self.unsupported("VARIABLE_REFERENCE_VALUE")
    case .functionValue: throw Self.unsupported("FUNCTION_VALUE")
    case .pipelineValue: throw Self.unsupported("PIPELINE_VALUE")
    case nil:
      throw StatusError(
        .invalidArgument,
        "Cannot convert firestore.v1.Value with type unset."
      )
    }
  }

  private static func unsupported(_ member: String) -> StatusError {
    StatusError(.invalidArgument, "Value type is not supported: \(member)")
  }

  package var proto: ProtoValue {
    var proto = ProtoValue()
    proto.valueType =
      switch self {
      case .null: .nullValue(.nullValue)
      case .boolean(let boolean): .booleanValue(boolean)
      case .integer(let integer): .integerValue(integer)
      case .double(let double): .doubleValue(double)
      case .timestamp(let time): .timestampValue(time.proto)
      case .string(let string): .stringValue(string)
      case .bytes(let data): .bytesValue(data)
      case .reference(let name): .referenceValue(name)
      case .geoPoint(let latitude, let longitude):
        .geoPointValue(
          .with {
            $0.latitude = latitude
            $0.longitude = longitude
          }
        )
      case .array(let values): .arrayValue(.with { $0.values = values.map(\.proto) })
      case .map(let fields): .mapValue(.with { $0.fields = fields.proto })
      }
    return proto
  }
}

extension Fields {
  /// Creates fields from protobuf messages. `mapValues` keeps the layout of the hash table, so no
  /// key is hashed again.
  package init(_ protos: [ByteKey: ProtoValue]) throws(StatusError) {
    do {
      self = try protos.mapValues { try FirestoreModel.Value($0) }
    } catch {
      throw StatusError(converting: error)
    }
  }

  package var proto: [ByteKey: ProtoValue] { mapValues(\.proto) }
}

extension [Value] {
  package init(_ protos: [ProtoValue]) throws(StatusError) {
    self = try protos.map { value throws(StatusError) in try Value(value) }
  }
}

extension StatusError {
  /// Creates an error from an error whose type the compiler doesn't know, such as one from a
  /// rethrowing function.
  init(converting error: any Error) {
    self = error as? StatusError ?? StatusError(.internal, "\(error)")
  }
}
