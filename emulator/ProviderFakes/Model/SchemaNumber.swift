import Core

/// The numbers of a JSON Schema, which may be anything that JSON can write.
struct SchemaNumber {
  let value: Double

  /// The number that a schema's limits allow and that is nearest to its lower one, or 0.
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

  /// The number without a fraction, rounded up, and within what 64 bits hold.
  var integer: Int64 {
    Int64(exactly: value.rounded(.up)) ?? (value < 0 ? .min : .max)
  }

  /// How many of something; nil if it isn't a count.
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
