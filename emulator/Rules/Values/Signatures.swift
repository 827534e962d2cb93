/// The functions and methods of the rules language, with their parameters' types, as Google's error
/// texts list them.
///
/// `get()`, `exists()` and the like, which read documents, are the evaluator's.
enum Signatures {
  /// The methods, by the type of their value. The operators `in` and `[]` are methods, too.
  static let methods = index([
    "list.in(any)", "set.in(any)", "map.in(string)",
    "string.[](int)", "list.[](int)", "map.[](string)", "path.[](string)", "path.[](int)",
    "string.size()", "string.lower()", "string.upper()", "string.trim()", "string.split(string)",
    "string.replace(string, string)", "string.matches(string)", "string.toUtf8()",
    "bytes.size()", "bytes.toBase64()", "bytes.toHexString()",
    "timestamp.year()", "timestamp.month()", "timestamp.day()", "timestamp.hours()",
    "timestamp.minutes()", "timestamp.seconds()", "timestamp.nanos()", "timestamp.dayOfWeek()",
    "timestamp.dayOfYear()", "timestamp.date()", "timestamp.time()", "timestamp.toMillis()",
    "duration.seconds()", "duration.nanos()",
    "latlng.latitude()", "latlng.longitude()", "latlng.distance(latlng)",
    "path.bind(map)", "path.segments()",
    "list.size()", "list.hasAll(list)", "list.hasAny(list)", "list.hasOnly(list)",
    "list.concat(list)", "list.join(string)", "list.removeAll(list)", "list.toSet()",
    "set.size()", "set.hasAll(set)", "set.hasAll(list)", "set.hasAny(set)", "set.hasAny(list)",
    "set.hasOnly(set)", "set.hasOnly(list)", "set.union(set)", "set.difference(set)",
    "set.intersection(set)",
    "map.size()", "map.keys()", "map.values()", "map.get(string, any)", "map.get(list, any)",
    "map.diff(map)",
    "map_diff.addedKeys()", "map_diff.removedKeys()", "map_diff.changedKeys()",
    "map_diff.unchangedKeys()", "map_diff.affectedKeys()",
  ])

  /// The functions, and the functions of namespaces.
  static let functions = index([
    "math.abs(int)", "math.abs(float)", "math.ceil(float)", "math.floor(float)",
    "math.round(float)", "math.sqrt(float)", "math.pow(float, float)", "math.isNaN(float)",
    "math.isInfinity(float)",
    "hashing.md5(bytes)", "hashing.md5(string)", "hashing.sha256(bytes)",
    "hashing.sha256(string)", "hashing.crc32(bytes)", "hashing.crc32(string)",
    "hashing.crc32c(bytes)", "hashing.crc32c(string)",
    "duration.value(int, string)", "duration.time(int, int, int, int)", "duration.abs(duration)",
    "timestamp.value(int)", "timestamp.value(string)", "timestamp.date(int, int, int)",
    "latlng.value(float, float)",
    "int(int)", "int(float)", "int(string)", "float(int)", "float(float)", "float(string)",
    "string(int)", "string(float)", "string(null)", "string(string)", "string(bool)",
    "string(path)", "path(string)", "vector(list)",
  ])

  /// Returns the signatures by the name before the parameters.
  private static func index(_ signatures: [String]) -> [String: [String]] {
    Dictionary(grouping: signatures) { String($0.prefix { $0 != "(" }) }
  }

  /// Returns why a call isn't possible: the function doesn't exist, or takes other arguments.
  ///
  /// - Parameter name: The name that the signatures have, such as `string.size`.
  static func error(
    of name: String,
    in signatures: [String: [String]],
    shortName: String,
    _ arguments: [RulesValue]
  ) -> EvaluationError {
    guard let signatures = signatures[name] else { return .functionNotFound(shortName) }
    let expected = signatures.joined(separator: ", ")
    let counts = signatures.map { $0.hasSuffix("()") ? 0 : $0.count { $0 == "," } + 1 }
    guard counts.contains(arguments.count) else {
      return .argumentCount(arguments.count, expected: expected)
    }
    let types = arguments.map(\.typeName).joined(separator: ", ")
    return .unsupported("\(name)(\(types))", expected: expected)
  }
}
