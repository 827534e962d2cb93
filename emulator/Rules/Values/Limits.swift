/// How large values may become. A document has at most 1 MiB, so only rules that multiply data meet
/// these limits.
enum Limits {
  /// The most bytes of a string.
  static let bytes = 8 << 20
  /// The most elements of a list.
  static let elements = 1 << 20
  /// The most values that one operation compares.
  static let comparisons = 8 << 20
  /// The most levels of lists and maps in values that are compared. A document has at most 20.
  static let levels = 100
}
