import Rules
import Testing

struct NumberTests {
  @Test(arguments: [
    "int('12') == 12 && int('-12') == -12 && int('+12') == 12 && int('007') == 7",
    "int(3.9) == 3 && int(-3.9) == -3 && int(float('NaN')) == 0",
    "int(float('Infinity')) == 9223372036854775807",
    "float('1.5') == 1.5 && float('.5') == 0.5 && float('5.') == 5 && float(' 1e3 ') == 1000",
    "float('1.5f') == 1.5 && float('0x1p3') == 8 && float(3) is float",
    "math.isNaN(float('NaN')) && math.isInfinity(float('-Infinity'))",
    "string(null) == 'null' && string(true) == 'true' && string(-1) == '-1' && string('a') == 'a'",
    "string(1.0) == '1.0' && string(-0.0) == '-0.0' && string(0.1 + 0.2) == '0.30000000000000004'",
    "string(9999999.0) == '9999999.0' && string(10000000.0) == '1.0E7'",
    "string(0.001) == '0.001' && string(0.0009999) == '9.999E-4' && string(120.5) == '120.5'",
    "string(float('1.7976931348623157E308')) == '1.7976931348623157E308'",
    "string(float('NaN')) == 'NaN' && string(float('-Infinity')) == '-Infinity'",
    "string(/a/b) == '/a/b'",
    "math.abs(-1) is int && math.abs(-1) == 1 && math.abs(-1.5) == 1.5",
    "math.abs(-9223372036854775807 - 1) == -9223372036854775807 - 1",
    "math.round(2.5) == 3 && math.round(-2.5) == -2 && math.round(0.49999999999999994) == 0",
    "math.round(float('1e300')) == 9223372036854775807 && math.round(5) is int",
    "math.ceil(-1.5) == -1 && math.floor(-1.5) == -2 && math.ceil(5) is float",
    "math.sqrt(4) == 2.0 && math.pow(2, 3) == 8.0 && math.isNaN(math.sqrt(-1))",
    "math.isNaN(math.pow(1, float('NaN'))) && math.isNaN(math.pow(-1, float('Infinity')))",
    "latlng.value(1, 2).latitude() == 1.0 && latlng.value(1, 2).longitude() == 2.0",
    "math.round(latlng.value(0, 0).distance(latlng.value(0, 180))) == 20015115",
    "latlng.value(1, 1).distance(latlng.value(1, 1)) == 0",
    "debug(1) == 1",
  ])
  func `numbers are converted and calculated with`(condition: String) throws {
    #expect(try Outcome.of(condition) == .allowed)
  }

  @Test(arguments: [
    ("int('x') == 1", "Type conversion error. Argument: [x], From type: [string], To type: [int]."),
    (
      "int(' 1') == 1",
      "Type conversion error. Argument: [ 1], From type: [string], To type: [int]."
    ),
    (
      "int('9223372036854775808') == 1",
      "Type conversion error. Argument: [9223372036854775808], From type: [string], To type: [int]."
    ),
    (
      "float('inf') == 1",
      "Type conversion error. Argument: [inf], From type: [string], To type: [float]."
    ),
    (
      "float('0x10') == 1",
      "Type conversion error. Argument: [0x10], From type: [string], To type: [float]."
    ),
    (
      "int(null) == 1",
      "Unsupported operation error. Received: int(null). Expected: int(int), int(float), int(string)."
    ),
    (
      "float(1, 2) == 1",
      "Incorrect number of arguments. Received: 2. "
        + "Expected: float(int), float(float), float(string)."
    ),
    ("bool('true')", "Function not found error: Name: [bool]."),
    ("math.isInfinite(1.0)", "Function not found error: Name: [math.isInfinite]."),
    (
      "math.abs('a') == 1",
      "Unsupported operation error. Received: math.abs(string). "
        + "Expected: math.abs(int), math.abs(float)."
    ),
    (
      "latlng.value(90.5, 0) == null",
      "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
        + "latitude: 90.5, longitude: 0.0."
    ),
  ])
  func `other values aren't numbers`(condition: String, error: String) throws {
    #expect(try Outcome.of(condition) == .failed(error))
  }
}
