import Rules
import Testing

struct OperatorTests {
  private static let range = "[-9223372036854775808, 9223372036854775807]"

  @Test(arguments: [
    ("1 + 2 * 3 == 7", true),
    ("1 + 1.5 == 2.5", true),
    ("7 / 2 == 3", true),
    ("-7 / 2 == -3", true),
    ("-7 % 3 == -1", true),
    ("7 / 2.0 == 3.5", true),
    ("1 / 0.0 > 9.0", true),
    ("math.isNaN(1 % 0.0)", true),
    ("'a' + 'b' == 'ab'", true),
    ("-1.5 == 0 - 1.5", true),
    // As in Java, this division overflows without an error.
    ("(-9223372036854775807 - 1) / -1 == -9223372036854775807 - 1", true),
    ("(-9223372036854775807 - 1) % -1 == 0", true),
    ("'a' < 'b' && b'a' < b'b' && 1 < 1.5 && 'a' <= 'a'", true),
    ("'B' < 'a'", true),
    // The order of UTF-16 units.
    ("'😀' < '\\uff61'", true),
    ("float('NaN') < 1 || float('NaN') >= 1", false),
    ("1 in [1, 2] && 'a' in {'a': 1} && 1 in [1].toSet()", true),
    ("null in [null]", true),
    ("1 is number && 1.0 is number && 1 is int && 1.0 is float", true),
    ("'a' is string && b'a' is bytes && true is bool && {} is map && [] is list", true),
    ("/a/b is path && {}.diff({}) is map_diff && vector([1.0]) is vector", true),
    ("timestamp.value(0) is timestamp && duration.value(1, 's') is duration", true),
    ("(latlng.value(1, 2)) is latlng", true),
    ("null is map || 1 is string || 'a' is path", false),
    // Google's emulator says of no value that it is a set.
    ("[].toSet() is set || [].toSet() is list", false),
  ])
  func `operators are defined for some types`(condition: String, isAllowed: Bool) throws {
    #expect(try Outcome.of(condition) == (isAllowed ? .allowed : .denied))
  }

  @Test(arguments: [
    ("9223372036854775807 + 1 == 0", "Integer value is out of the \(range) range."),
    ("-9223372036854775807 - 2 == 0", "Integer value is out of the \(range) range."),
    ("4611686018427387904 * 2 == 0", "Integer value is out of the \(range) range."),
    ("-(-9223372036854775807 - 1) == 0", "Integer value is out of the \(range) range."),
    ("1 / 0 == 1", "Divide by zero error."),
    ("1 % 0 == 1", "Divide by zero error."),
    (
      "'a' + 1 == 'a1'",
      "Unsupported operation error. Received: string + int. Expected: int + int, float + float, "
        + "string + string, duration + duration, duration + timestamp, timestamp + duration."
    ),
    (
      "[1] - [1] == []",
      "Unsupported operation error. Received: list - list. Expected: int - int, float - float, "
        + "duration - duration, timestamp - duration, timestamp - timestamp."
    ),
    (
      "true * 2 == 2",
      "Unsupported operation error. Received: bool * int. Expected: int * int, float * float."
    ),
    (
      "null < 1",
      "Unsupported operation error. Received: null < int. Expected: string < string, "
        + "bytes < bytes, int < int, float < float, duration < duration, timestamp < timestamp, "
        + "constraint < any, any < constraint."
    ),
    ("!1", "Unsupported operation error. Received: !int. Expected: !bool."),
    (
      "-'a' == 1",
      "Unsupported operation error. Received: -string. Expected: -int, -float, -duration."
    ),
    ("'a' in 'abc'", "Function not found error: Name: [in]."),
    (
      "1 in {'a': 1}",
      "Unsupported operation error. Received: map.in(int). Expected: map.in(string)."
    ),
    ("1 in null", "Null value error."),
  ])
  func `other types and overflows are errors`(condition: String, error: String) throws {
    #expect(try Outcome.of(condition) == .failed(error))
  }
}
