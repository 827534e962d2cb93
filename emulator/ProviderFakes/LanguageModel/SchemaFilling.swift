import Core

/// The generation of a value that matches a JSON Schema. Facts are the values of properties with
/// known names.
///
/// The supported keywords are those of structured outputs: types, properties, items, enum, const,
/// `$ref`, anyOf, oneOf, allOf and size limits. Patterns and other keywords are ignored. The size
/// of a value is limited, so that the generation always ends.
struct SchemaFilling {
  /// The maximum nesting of a value.
  private static let maximumDepth = 24
  /// The maximum length of a generated text.
  private static let maximumLength = 10_000

  private let root: JSONValue
  /// The number of schemas that may still be processed.
  private var remaining = 20_000

  /// Returns a value that matches the schema.
  ///
  /// - Parameters:
  ///   - schema: the schema. A JSON value that isn't a schema allows every value.
  ///   - facts: the values of properties by name, used where the properties' schemas allow them.
  static func value(for schema: JSONValue, facts: JSONObject) -> JSONValue {
    var filling = SchemaFilling(root: schema)
    let resolved = filling.resolved(schema)
    let isTyped = !Set(resolved.keys).isDisjoint(with: ["type", "enum", "const", "anyOf", "oneOf"])
    guard isTyped else { return filling.object(resolved, .object(facts), depth: 0) }
    return filling.value(schema, .object(facts), depth: 0)
  }

  /// Returns the names of the properties in a schema's value, or `nil` if the value may have
  /// several forms.
  static func names(in schema: JSONValue) -> Set<ByteKey>? {
    let schema = SchemaFilling(root: schema).resolved(schema)
    guard schema["anyOf"] == nil, schema["oneOf"] == nil else { return nil }
    return Set((schema["properties"]?.object ?? [:]).keys)
  }

  private init(root: JSONValue) { self.root = root }

  private mutating func value(_ schema: JSONValue, _ fact: JSONValue?, depth: Int) -> JSONValue {
    let parts = schema["allOf"]?.array?.count ?? 0
    let schema = resolved(schema)
    remaining -= 1 + Self.weight(of: schema) + 8 * parts
    if let constant = schema["const"] { return constant }
    if let choices = schema["enum"]?.array { return Self.choice(of: choices, fact) }
    if let options = schema["anyOf"]?.array ?? schema["oneOf"]?.array, !options.isEmpty {
      return option(of: options, fact, depth: depth)
    }
    let types = Self.types(of: schema)
    if let fact, let type = types.first(where: { Self.isOfType(fact, $0) }) {
      if let value = filled(schema, type, fact, depth: depth) { return value }
    }
    if types.contains("null") { return .null }
    return filled(schema, types.first ?? "null", nil, depth: depth) ?? .null
  }

  /// Returns a value of a type, or `nil` if the schema doesn't allow the fact.
  private mutating func filled(
    _ schema: JSONObject,
    _ type: String,
    _ fact: JSONValue?,
    depth: Int
  ) -> JSONValue? {
    switch type {
    case "object": return object(schema, fact, depth: depth)
    case "array": return array(schema, fact, depth: depth)
    case "string": return string(schema, fact?.string)
    case "boolean": return fact ?? .boolean(false)
    case "integer": return fact ?? .integer(SchemaNumber.smallest(in: schema).integer)
    case "number": return fact ?? .number(SchemaNumber.smallest(in: schema).value)
    default: return .null
    }
  }

  private mutating func object(
    _ schema: JSONObject,
    _ fact: JSONValue?,
    depth: Int
  ) -> JSONValue {
    guard let properties = schema["properties"]?.object else { return .object([:]) }
    guard depth < Self.maximumDepth, remaining > 0 else { return .object([:]) }
    let required = Set((schema["required"]?.array ?? []).compactMap(\.string).map { ByteKey($0) })
    var members: JSONObject = [:]
    // The order is fixed, because earlier values reduce the budget for later ones.
    for name in properties.keys.sorted() {
      guard let property = properties[name] else { continue }
      let known = fact?[name.string]
      // Below some depth, optional properties are left out, so that a recursive schema ends.
      guard known != nil || required.contains(name) || depth < 4 else { continue }
      members[name] = value(property, known, depth: depth + 1)
    }
    return .object(members)
  }

  private mutating func array(
    _ schema: JSONObject,
    _ fact: JSONValue?,
    depth: Int
  ) -> JSONValue {
    let items = schema["items"] ?? .boolean(true)
    let maximum = schema["maxItems"].flatMap(SchemaNumber.count) ?? .max
    let minimum = min(schema["minItems"].flatMap(SchemaNumber.count) ?? 0, maximum)
    var values: [JSONValue] = []
    guard depth < Self.maximumDepth else { return .array([]) }
    for known in (fact?.array ?? []).prefix(maximum) where remaining > 0 {
      values.append(value(items, known, depth: depth + 1))
    }
    while values.count < minimum, remaining > 0 {
      values.append(value(items, nil, depth: depth + 1))
    }
    return .array(values)
  }

  /// Returns the fact, truncated to the maximum length, or `nil` if the fact is too short. Without
  /// a fact, returns a generated text.
  private mutating func string(_ schema: JSONObject, _ fact: String?) -> JSONValue? {
    let maximum = schema["maxLength"].flatMap(SchemaNumber.count) ?? .max
    let minimum = min(schema["minLength"].flatMap(SchemaNumber.count) ?? 0, maximum)
    if let fact {
      let scalars = fact.unicodeScalars
      guard scalars.count >= minimum else { return nil }
      return .string(String(String.UnicodeScalarView(scalars.prefix(maximum))))
    }
    if let format = schema["format"]?.string, let text = Self.formats[format] {
      return .string(text)
    }
    let length = min(minimum, Self.maximumLength)
    remaining -= length / 16
    let name = RuleEngine.name + " "
    let text = String(repeating: name, count: length / name.utf8.count + 1)
    return .string(String(text.prefix(length)))
  }

  /// Returns the value of the first option that accepts the fact. Otherwise returns null if an
  /// option allows it, or else the value of the first option.
  private mutating func option(
    of options: [JSONValue],
    _ fact: JSONValue?,
    depth: Int
  ) -> JSONValue {
    guard depth < Self.maximumDepth, remaining > 0 else { return .null }
    if let fact {
      for option in options {
        let schema = resolved(option)
        let isAllowed = schema["enum"]?.array?.contains(fact) ?? true
        if isAllowed, schema["const"].map({ $0 == fact }) ?? true,
          Self.types(of: schema).contains(where: { Self.isOfType(fact, $0) })
        {
          return value(option, fact, depth: depth + 1)
        }
      }
    }
    if options.contains(where: { Self.types(of: resolved($0)).contains("null") }) { return .null }
    return options.first.map { value($0, nil, depth: depth + 1) } ?? .null
  }

  /// Returns the fact if it is one of the choices, or else the most neutral choice.
  private static func choice(of choices: [JSONValue], _ fact: JSONValue?) -> JSONValue {
    if let fact, choices.contains(fact) { return fact }
    return ["none", "low"].first { choices.contains($0) } ?? choices.first ?? .null
  }

  /// Returns the additional cost of a schema's long lists.
  private static func weight(of schema: JSONObject) -> Int {
    ["enum", "anyOf", "oneOf", "required"].reduce(0) { $0 + (schema[$1]?.array?.count ?? 0) } / 8
  }

  /// Returns the schema with references resolved and the parts of `allOf` merged.
  private func resolved(_ schema: JSONValue, depth: Int = 0) -> JSONObject {
    guard var members = schema.object, depth < 8 else { return [:] }
    if let reference = members.removeValue(forKey: "$ref")?.string {
      let target = resolved(self.target(of: reference) ?? .null, depth: depth + 1)
      members.merge(target) { own, _ in own }
    }
    guard let parts = members.removeValue(forKey: "allOf")?.array else { return members }
    for part in parts.prefix(16) {
      members.merge(resolved(part, depth: depth + 4)) { own, other in
        switch (own, other) {
        case (.object(let own), .object(let other)):
          .object(own.merging(other) { first, _ in first })
        case (.array(let own), .array(let other)): .array(own + other)
        default: own
        }
      }
    }
    return members
  }

  /// Returns the target of a JSON Pointer after `#`.
  private func target(of reference: String) -> JSONValue? {
    let steps = reference.split(separator: "/", omittingEmptySubsequences: false)
    guard steps.first == "#", steps.count <= 32 else { return nil }
    var value: JSONValue? = root
    for step in steps.dropFirst() {
      let name = step.replacing("~1", with: "/").replacing("~0", with: "~")
      value = value?[String(name)]
    }
    return value
  }

  /// Returns the types that a schema names or that its other keywords imply.
  private static func types(of schema: JSONObject) -> [String] {
    if let type = schema["type"]?.string { return [type] }
    if let types = schema["type"]?.array { return types.compactMap(\.string) }
    if schema["properties"] != nil { return ["object"] }
    if schema["items"] != nil { return ["array"] }
    if schema["minLength"] != nil || schema["maxLength"] != nil { return ["string"] }
    if schema["minimum"] != nil || schema["maximum"] != nil { return ["number"] }
    return []
  }

  private static func isOfType(_ value: JSONValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.boolean, "boolean"), (.integer, "integer"), (.integer, "number"),
      (.number, "number"), (.string, "string"), (.array, "array"), (.object, "object"):
      true
    default: false
    }
  }

  /// Neutral values for the text formats of structured outputs.
  private static let formats = [
    "date-time": "1970-01-01T00:00:00Z", "date": "1970-01-01", "time": "00:00:00Z",
    "duration": "PT0S", "email": "nobody@example.invalid", "hostname": "example.invalid",
    "ipv4": "127.0.0.1", "ipv6": "::1", "uri": "about:blank",
    "uuid": "00000000-0000-0000-0000-000000000000",
  ]
}
