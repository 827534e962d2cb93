/// The types that the operator `is` tests.
package enum TestableTypes {
  /// The names, in the order in which Google's compiler lists them.
  package static let names = [
    "bool", "bytes", "constraint", "duration", "float", "int", "latlng", "list", "vector", "set",
    "number", "map", "string", "timestamp", "path", "map_diff",
  ]
}
