/// The functions and methods of the rules language, each with its parameters and its result.
///
/// The compiler checks calls by these tables, and errors list them. `any` stands for any type.
package enum Signatures {
  package typealias Table = [String: [Signature]]

  /// The methods. The operators `in` and `[]` are methods of their container, too.
  package static let allMethods = [
    "list.in(any) bool", "set.in(any) bool", "map.in(string) bool",
    "string.[](int) string", "list.[](int) any", "map.[](string) any", "path.[](string) any",
    "path.[](int) string",
    "string.size() int", "string.lower() string", "string.upper() string", "string.trim() string",
    "string.split(string) list", "string.replace(string, string) string",
    "string.matches(string) bool", "string.toUtf8() bytes",
    "bytes.size() int", "bytes.toBase64() string", "bytes.toHexString() string",
    "duration.seconds() int", "duration.nanos() int",
    "timestamp.year() int", "timestamp.month() int", "timestamp.day() int",
    "timestamp.hours() int", "timestamp.minutes() int", "timestamp.seconds() int",
    "timestamp.nanos() int", "timestamp.dayOfWeek() int", "timestamp.dayOfYear() int",
    "timestamp.date() timestamp", "timestamp.time() duration", "timestamp.toMillis() int",
    "latlng.latitude() float", "latlng.longitude() float", "latlng.distance(latlng) float",
    "path.bind(map) path", "path.segments() list",
    "list.size() int", "list.hasAll(list) bool", "list.hasAny(list) bool",
    "list.hasOnly(list) bool", "list.concat(list) list", "list.join(string) string",
    "list.removeAll(list) list", "list.toSet() set",
    "set.size() int", "set.hasAll(set) bool", "set.hasAll(list) bool", "set.hasAny(set) bool",
    "set.hasAny(list) bool", "set.hasOnly(set) bool", "set.hasOnly(list) bool",
    "set.union(set) set", "set.difference(set) set", "set.intersection(set) set",
    "map.size() int", "map.keys() list", "map.values() list", "map.get(string, any) any",
    "map.get(list, any) any", "map.diff(map) map_diff",
    "map_diff.addedKeys() set", "map_diff.removedKeys() set", "map_diff.changedKeys() set",
    "map_diff.unchangedKeys() set", "map_diff.affectedKeys() set",
  ].map { Signature($0) }

  /// The methods, by names such as `string.size`.
  static let methods = Dictionary(grouping: allMethods, by: \.name)

  /// The functions, and the functions of namespaces.
  package static let functions = table([
    "math.abs(int) int", "math.abs(float) float", "math.ceil(float) float",
    "math.floor(float) float", "math.round(float) int", "math.sqrt(float) float",
    "math.pow(float, float) float", "math.isNaN(float) bool", "math.isInfinity(float) bool",
    "hashing.md5(bytes) bytes", "hashing.md5(string) bytes", "hashing.sha256(bytes) bytes",
    "hashing.sha256(string) bytes", "hashing.crc32(bytes) bytes", "hashing.crc32(string) bytes",
    "hashing.crc32c(bytes) bytes", "hashing.crc32c(string) bytes",
    "duration.value(int, string) duration", "duration.time(int, int, int, int) duration",
    "duration.abs(duration) duration",
    "timestamp.value(int) timestamp", "timestamp.value(string) timestamp",
    "timestamp.date(int, int, int) timestamp", "latlng.value(float, float) latlng",
    "int(int) int", "int(float) int", "int(string) int",
    "float(int) float", "float(float) float", "float(string) float",
    "string(int) string", "string(float) string", "string(null) string", "string(string) string",
    "string(bool) string", "string(path) string",
    "path(string) path", "vector(list) vector", "debug(any) any",
  ])

  /// The functions that read documents in rules of Firestore.
  static let documentFunctions = table([
    "get(path) any", "exists(path) any", "getAfter(path) any", "existsAfter(path) any",
  ])

  /// The namespace of the functions that read documents in rules of Storage.
  static let documentNamespace = "firestore"

  /// The functions that read documents in rules of Storage.
  static let storageFunctions = table(["firestore.get(path) any", "firestore.exists(path) any"])

  /// The namespaces of functions, such as `math`. No variable can have their names.
  static let namespaces = Set(
    functions.keys.filter { $0.contains(".") }.map { String($0.prefix { $0 != "." }) }
  )

  private static func table(_ rows: [String]) -> Table {
    Dictionary(grouping: rows.map { Signature($0) }, by: \.name)
  }

  /// Returns why a call isn't possible: the function doesn't exist, or takes other arguments.
  ///
  /// - Parameter name: The name that the signatures have, such as `string.size`.
  static func error(
    of name: String,
    in table: Table,
    shortName: String,
    _ arguments: [RulesValue]
  ) -> EvaluationError {
    guard let signatures = table[name] else { return .functionNotFound(shortName) }
    let expected = signatures.map(\.text).joined(separator: ", ")
    guard signatures.contains(where: { $0.parameters.count == arguments.count }) else {
      return .argumentCount(arguments.count, expected: expected)
    }
    let types = arguments.map(\.typeName).joined(separator: ", ")
    return .unsupported("\(name)(\(types))", expected: expected)
  }
}
