/// A list of parameters that a function or method takes, with the type of its result.
package struct Signature: Sendable {
  /// The name, such as `math.abs`. A method's begins with the type of its value: `string.size`.
  package let name: String
  /// The parameters' types. `nil` stands for any type.
  package let parameters: [RulesType?]
  package let result: RulesType?
  /// The name and parameters, as in Google's error texts: `string.size()`.
  package let text: String

  /// Creates a signature from a row of a table, such as `string.replace(string, string) string`.
  init(_ row: String) {
    let parts = row.split(separator: ")")
    let call = parts[0].split(separator: "(")
    name = String(call[0])
    parameters = call.dropFirst().flatMap { $0.split(separator: ", ") }.map(Self.type)
    result = Self.type(parts[1].dropFirst())
    text = String(parts[0]) + ")"
  }

  private static func type(_ name: Substring) -> RulesType? { RulesType(rawValue: String(name)) }
}
