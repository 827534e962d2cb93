import Core

extension RulesValue {
  /// Returns the result of a function of the namespace `math`. An int is converted to a float,
  /// except for `abs()`.
  static func call(math name: String, _ arguments: Arguments) -> RulesValue? {
    switch (name, arguments) {
    // The smallest integer has no positive counterpart and stays as it is, as in Java.
    case ("abs", .one(.integer(let integer))):
      return .integer(integer < 0 ? 0 &- integer : integer)
    case (_, .one(let value)):
      guard let number = value.number else { return nil }
      return call(math: name, number)
    case ("pow", .two(let base, let exponent)):
      guard let base = base.number, let exponent = exponent.number else { return nil }
      return .float(power(base, exponent))
    default: return nil
    }
  }

  private static func call(math name: String, _ number: Double) -> RulesValue? {
    switch name {
    case "abs": .float(number.magnitude)
    case "ceil": .float(number.rounded(.up))
    case "floor": .float(number.rounded(.down))
    case "round": .integer(rounded(number))
    case "sqrt": .float(number.squareRoot())
    case "isNaN": .boolean(number.isNaN)
    // Firebase's reference calls this function isInfinite, which Google's engine doesn't know.
    case "isInfinity": .boolean(number.isInfinite)
    default: nil
    }
  }

  /// Returns the nearest integer, the greater one of two: 2.5 is 3 and -2.5 is -2.
  private static func rounded(_ number: Double) -> Int64 {
    let floor = number.rounded(.down)
    return Int64(saturating: number - floor >= 0.5 ? floor + 1 : floor)
  }

  /// Returns a power as Java does: 1 or -1 to an infinite power, and 1 to the power NaN, are NaN.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    if exponent.isNaN || exponent.isInfinite && base.magnitude == 1 { return .nan }
    return pow(base, exponent)
  }

  /// An int or a float as a float.
  var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .float(let float): float
    default: nil
    }
  }
}
