import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import Testing

struct ValueMessageTests {
  static let values: [Value] = [
    .null, .boolean(false), .boolean(true), .integer(0), .integer(.min), .integer(.max),
    .double(0), .double(-.infinity), .double(.leastNonzeroMagnitude), .string(""),
    .string("é\u{0}👍"),
    .timestamp(Timestamp(seconds: -62_135_596_800)),
    .timestamp(Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999)),
    .bytes(Data()), .bytes(Data([0, 255])), .reference("projects/p/databases/d/documents/a/b"),
    .geoPoint(latitude: -90, longitude: 180), .array([]), .array([1, "a", [:]]), .map([:]),
    .map(["": 1, "a.b": ["c": .null]]),
  ]

  @Test(arguments: values)
  func `a value is the same after encoding and decoding`(_ value: Value) throws {
    let bytes: [UInt8] = try value.proto.serializedBytes()
    #expect(try Value(ProtoValue(serializedBytes: bytes)) == value)
  }

  @Test func `NaN and minus zero keep their bits`() throws {
    for double in [Double.nan, -0.0] {
      let value = try Value(Value.double(double).proto)
      guard case .double(let result) = value else { throw StatusError(.internal, "no double") }
      #expect(result.isNaN == double.isNaN && result.sign == double.sign)
    }
  }

  @Test func `a type's default value is still encoded`() throws {
    for value: Value in [.null, .boolean(false), .integer(0), .double(0), .string("")] {
      let bytes: [UInt8] = try value.proto.serializedBytes()
      #expect(!bytes.isEmpty)
    }
  }

  @Test func `a value without a type is refused at any depth`() throws {
    let unset = invalid("Cannot convert firestore.v1.Value with type unset.")
    #expect(throws: unset) { try Value(ProtoValue()) }
    #expect(throws: unset) {
      try Value(.with { $0.arrayValue.values = [ProtoValue()] })
    }
    #expect(throws: unset) {
      try Value(.with { $0.mapValue.fields = ["a": ProtoValue()] })
    }
  }

  @Test func `a value that only pipelines know is refused by name`() throws {
    let protos: [(ProtoValue, String)] = [
      (.with { $0.functionValue.name = "add" }, "FUNCTION_VALUE"),
      (.with { $0.pipelineValue = ProtoPipeline() }, "PIPELINE_VALUE"),
      (.with { $0.fieldReferenceValue = "a" }, "FIELD_REFERENCE_VALUE"),
      (.with { $0.variableReferenceValue = "a" }, "VARIABLE_REFERENCE_VALUE"),
    ]
    for (proto, name) in protos {
      #expect(throws: invalid("Value type is not supported: \(name)")) { try Value(proto) }
    }
  }

  @Test(arguments: [(0, -1), (0, 1_000_000_000), (-62_135_596_801, 0), (253_402_300_800, 0)])
  func `a time outside of its range is refused`(_ seconds: Int64, _ nanos: Int32) {
    let error = #expect(throws: StatusError.self) {
      try Timestamp(Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos))
    }
    #expect(error?.code == .invalidArgument)
  }
}
