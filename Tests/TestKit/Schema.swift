package import Core

/// A JSON Schema (draft 2020-12), with the keywords that Shared/Schemas uses.
///
/// An unknown keyword is an error: a check that ignored it would accept invalid values.
package struct Schema: Sendable {
  private let root: JSONValue

  package static var event: Schema { get throws(StatusError) { try Schema(named: "event") } }
  package static var result: Schema { get throws(StatusError) { try Schema(named: "result") } }
  package static var manifest: Schema { get throws(StatusError) { try Schema(named: "manifest") } }

  private init(named name: String) throws(StatusError) {
    let path = "Shared/Schemas/\(name).schema.json"
    guard let text = try? Repository.text(path) else {
      throw StatusError(.notFound, "\(path) can't be read")
    }
    root = try json(text)
  }

  package init(_ root: JSONValue) { self.root = root }

  /// Checks a value against the schema.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the location of the first mismatch, or `UNIMPLEMENTED` for
  ///   an unknown keyword.
  package func check(_ value: JSONValue) throws(StatusError) {
    try check(value, root, at: "$")
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, at place: String) throws(StatusError)
  {
    if case .boolean(let isAllowed) = schema {
      guard isAllowed else { throw failure(place, "is not allowed") }
      return
    }
    for (keyword, argument) in (schema.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      try check(value, keyword.string, argument, in: schema, at: place)
    }
  }

  private func check(
    _ value: JSONValue,
    _ keyword: String,
    _ argument: JSONValue,
    in schema: JSONValue,
    at place: String
  ) throws(StatusError) {
    switch keyword {
    case "$schema", "$id", "$defs", "title", "description", "then", "else": break
    case "$ref": try check(value, try definition(argument), at: place)
    case "type":
      let types = (argument.array ?? [argument]).compactMap(\.string)
      guard !value.types.isDisjoint(with: types) else {
        throw failure(place, "is no \(types.joined(separator: " or "))")
      }
    case "const":
      guard value == argument else { throw failure(place, "is not \(argument.text)") }
    case "enum":
      guard argument.array?.contains(value) == true else {
        throw failure(place, "is none of \(argument.text)")
      }
    case "minimum":
      guard let number = value.double, let minimum = argument.double else { return }
      guard number >= minimum else { throw failure(place, "is less than \(minimum)") }
    case "minLength":
      guard let string = value.string, let minimum = argument.integer else { return }
      guard string.unicodeScalars.count >= minimum else { throw failure(place, "is too short") }
    case "required":
      guard let members = value.object else { return }
      for name in (argument.array ?? []).compactMap(\.string) where members[name] == nil {
        throw failure(place, "has no \(name)")
      }
    case "properties":
      guard let members = value.object else { return }
      for (name, member) in (argument.object ?? [:]).sorted(by: { $0.key < $1.key }) {
        if let found = members[name] { try check(found, member, at: "\(place).\(name)") }
      }
    case "additionalProperties":
      let known = schema["properties"]?.object ?? [:]
      for (name, member) in (value.object ?? [:]).sorted(by: { $0.key < $1.key })
      where known[name] == nil { try check(member, argument, at: "\(place).\(name)") }
    case "items":
      for (index, element) in (value.array ?? []).enumerated() {
        try check(element, argument, at: "\(place).\(index)")
      }
    case "allOf":
      for each in argument.array ?? [] { try check(value, each, at: place) }
    case "oneOf", "anyOf":
      let reasons = try refusals(of: value, argument.array ?? [], at: place)
      let matches = (argument.array ?? []).count - reasons.count
      guard matches == 1 || keyword == "anyOf" && matches > 1 else {
        throw failure(place, "fits \(matches) of \(keyword): \(reasons.joined(separator: "; "))")
      }
    case "not":
      guard try !refusals(of: value, [argument], at: place).isEmpty else {
        throw failure(place, "is what it must not be")
      }
    case "if":
      let holds = try refusals(of: value, [argument], at: place).isEmpty
      if let branch = schema[holds ? "then" : "else"] { try check(value, branch, at: place) }
    default:
      throw StatusError(.unimplemented, "the schema's keyword \(keyword) is not known here")
    }
  }

  /// Returns one reason for each schema that the value doesn't match.
  private func refusals(
    of value: JSONValue,
    _ schemas: [JSONValue],
    at place: String
  ) throws(StatusError) -> [String] {
    var reasons: [String] = []
    for schema in schemas {
      do throws(StatusError) {
        try check(value, schema, at: place)
      } catch {
        guard error.code == .invalidArgument else { throw error }
        reasons.append(error.message)
      }
    }
    return reasons
  }

  private func definition(_ reference: JSONValue) throws(StatusError) -> JSONValue {
    let name = reference.string?.split(separator: "/").last.map(String.init) ?? ""
    guard reference == .string("#/$defs/\(name)"), let schema = root["$defs"]?[name] else {
      throw StatusError(
        .unimplemented,
        "the schema's reference \(reference.text) is not known here"
      )
    }
    return schema
  }

  private func failure(_ place: String, _ reason: String) -> StatusError {
    StatusError(.invalidArgument, "\(place) \(reason)")
  }
}

extension JSONValue {
  /// The names of this value's types in JSON Schema.
  fileprivate var types: Set<String> {
    switch self {
    case .null: ["null"]
    case .boolean: ["boolean"]
    case .integer: ["integer", "number"]
    case .number(let number): number.rounded() == number ? ["integer", "number"] : ["number"]
    case .string: ["string"]
    case .array: ["array"]
    case .object: ["object"]
    }
  }

  fileprivate var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
