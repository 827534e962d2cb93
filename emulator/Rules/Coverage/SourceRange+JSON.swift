package import Core

extension SourceRange {
  /// The range as a `SourcePosition` in protobuf's JSON, which leaves out zeros.
  package var json: JSONValue {
    let numbers = [
      ("line", line), ("column", column), ("currentOffset", start), ("endOffset", end),
    ]
    return .object(JSONObject(numbers.filter { $0.1 != 0 }.map { ($0.0, .integer(Int64($0.1))) }))
  }
}
