extension RulesValue {
  /// Returns the result of a method of the value, such as `size()`.
  package func call(
    _ method: String,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue {
    let values = Arguments(arguments)
    let result: RulesValue? =
      switch self {
      case .string(let string): try string.call(method, values)
      case .list(let elements): try Self.call(method, on: elements, values)
      case .map(let map): try map.call(method, values)
      case .set(let set): try set.call(method, values)
      case .mapDiff(let diff): diff.call(method, values)
      case .timestamp(let timestamp): timestamp.call(method, values)
      case .duration(let duration): duration.call(method, values)
      case .bytes(let bytes): Self.call(method, on: bytes, values)
      case .path(let path): try path.call(method, values)
      case .latLng(let latitude, let longitude):
        Self.call(method, on: (latitude, longitude), values)
      case .constraint(let constraint): try constraint.call(method, arguments)
      case .null: throw .nullValue
      case .boolean, .integer, .float, .vector: nil
      }
    if let result { return result }
    throw Signatures.error(
      of: "\(typeName).\(method)",
      in: Signatures.methods,
      shortName: method,
      arguments
    )
  }

  /// Returns the result of a built-in function, such as `int(x)`, or `nil` if there is no such
  /// function. `get()`, `exists()` and the like are the evaluator's.
  package static func call(
    function name: String,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue? {
    if name == "debug" { return try debug(arguments) }
    guard Signatures.functions[name] != nil else { return nil }
    if case .one(let value) = Arguments(arguments),
      let result = try call(conversion: name, value)
    {
      return result
    }
    throw Signatures.error(of: name, in: Signatures.functions, shortName: name, arguments)
  }

  /// Returns the result of a function of a namespace, such as `math.abs(x)`.
  package static func call(
    namespace: String,
    _ name: String,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue {
    let values = Arguments(arguments)
    let result: RulesValue? =
      switch namespace {
      case "math": call(math: name, values)
      case "hashing": call(hashing: name, values)
      case "duration": try call(duration: name, values)
      case "timestamp": try call(timestamp: name, values)
      case "latlng": try call(latLng: name, values)
      default: nil
      }
    if let result { return result }
    let name = "\(namespace).\(name)"
    throw Signatures.error(of: name, in: Signatures.functions, shortName: name, arguments)
  }

  /// Returns the argument of `debug()`, or the first one.
  private static func debug(_ arguments: [RulesValue]) throws(EvaluationError) -> RulesValue {
    guard let value = arguments.first else {
      throw EvaluationError("Service call error. Function: [debug], Argument: [].")
    }
    return value
  }
}
