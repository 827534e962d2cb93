import Core

/// The rules of a strict JSON Schema.
///
/// Source: OpenAI's guide to structured outputs.
enum StrictSchema {
  private static let maximumDepth = 10

  private static let refusedKeywords = [
    "allOf", "contains", "dependentRequired", "dependentSchemas", "else", "if", "maxContains",
    "maxProperties", "minContains", "minProperties", "not", "oneOf", "patternProperties",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
  ]

  /// Returns the API's message for the first violation, or `nil` if the schema follows the rules.
  static func violation(in schema: JSONValue) -> String? {
    if schema["anyOf"] != nil { return "\(place([])) schema root can't be 'anyOf'." }
    guard schema["type"] == "object" else {
      return "schema must be a JSON Schema of 'type: \"object\"', got 'type: "
        + "\(schema["type"]?.line ?? "None")'."
    }
    return violation(in: schema, at: [], depth: 1)
  }

  private static func violation(
    in schema: JSONValue,
    at path: [String],
    depth: Int
  ) -> String? {
    guard let members = schema.object else {
      return "\(place(path)) schema must be an object, got \(schema.kind)."
    }
    guard depth <= maximumDepth else {
      return "\(place(path)) schema exceeds the limit of \(maximumDepth) levels of nesting."
    }
    if let keyword = refusedKeywords.first(where: { members[$0] != nil }) {
      return "\(place(path)) '\(keyword)' is not permitted."
    }
    let isTyped = ["type", "$ref", "anyOf", "enum", "const"].contains { members[$0] != nil }
    guard isTyped else { return "\(place(path)) schema must have a 'type' key." }
    if schema.isOfObjects, let violation = violation(inObject: schema, at: path) {
      return violation
    }
    if schema["type"] == "array", members["items"] == nil {
      return "\(place(path)) array schema missing items."
    }
    for (name, child) in schema.subschemas {
      let violation = violation(in: child, at: path + name, depth: depth + 1)
      if violation != nil { return violation }
    }
    return nil
  }

  private static func violation(inObject schema: JSONValue, at path: [String]) -> String? {
    guard schema["additionalProperties"] == .boolean(false) else {
      return "\(place(path)) 'additionalProperties' is required to be supplied and to be false."
    }
    let names = (schema["properties"]?.object ?? [:]).keys.sorted().map(\.string)
    let required = schema["required"]?.array ?? []
    guard let missing = names.first(where: { !required.contains(.string($0)) }) else {
      let extra = required.compactMap(\.string).first { !names.contains($0) }
      return extra.map {
        "\(place(path)) 'required' has the name '\($0)', which is not in 'properties'."
      }
    }
    return "\(place(path)) 'required' is required to be supplied and to be an array including "
      + "every key in properties. Missing '\(missing)'."
  }

  private static func place(_ path: [String]) -> String {
    "In context=(\(path.map { "'\($0)'" }.joined(separator: ", "))),"
  }
}

extension JSONValue {
  fileprivate var isOfObjects: Bool {
    self["type"] == "object" || self["type"]?.array?.contains("object") == true
  }

  /// The direct subschemas, each with its path.
  fileprivate var subschemas: [(path: [String], schema: JSONValue)] {
    let named = ["properties", "$defs", "definitions"].flatMap { keyword in
      (self[keyword]?.object ?? [:]).sorted { $0.key < $1.key }
        .map { ([keyword, $0.key.string], $0.value) }
    }
    let listed = (self["anyOf"]?.array ?? []).enumerated().map { (["anyOf", "\($0)"], $1) }
    return named + listed + [self["items"].map { (["items"], $0) }].compactMap(\.self)
  }
}
