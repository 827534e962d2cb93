import Core

/// A number in a JSON Schema, which can have any magnitude.
struct SchemaNumber {
  let value: Double

  /// Returns a number within the schema's limits: near the lower limit, or else as close to 0 as
  /// possible.
  static func smallest(in schema: JSONObject) -> SchemaNumber {
    let limits = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].map {
      schema[$0].flatMap(number)
    }
    if let minimum = limits[0] { return SchemaNumber(value: minimum) }
    if let minimum = limits[1] { return SchemaNumber(value: minimum + 1) }
    if let maximum = limits[2], maximum < 0 { return SchemaNumber(value: maximum) }
    if let maximum = limits[3], maximum <= 0 { return SchemaNumber(value: maximum - 1) }
    return SchemaNumber(value: 0)
  }

  /// The number rounded up and clamped to 64 bits.
  var integer: Int64 {
    Int64(exactly: value.rounded(.up)) ?? (value < 0 ? .min : .max)
  }

  /// Returns the value as a count, or `nil` if it isn't a number of at least 0.
  static func count(_ value: JSONValue) -> Int? {
    number(value).flatMap { $0 >= 0 ? Int(exactly: $0.rounded(.up)) ?? .max : nil }
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let integer): Double(integer)
    case .number(let number): number.isFinite ? number : nil
    default: nil
    }
  }
}
