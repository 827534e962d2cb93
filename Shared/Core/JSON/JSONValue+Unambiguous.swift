extension JSONValue {
  /// Creates a value from external JSON that other parsers read after us, or returns `nil` if the
  /// JSON is invalid.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the member, if the outermost object repeats a name:
  ///   parsers may disagree on which one counts.
  package init?(unambiguous data: Data) throws(StatusError) {
    do throws(JSONParser.Malformed) {
      self = try JSONParser.parse(data, limits: JSONLimits(allowsRepeatedNamesAtTop: false))
    } catch {
      guard let name = error.repeatedName else { return nil }
      throw StatusError(.invalidArgument, "the member \(quoted(name)) appears twice")
    }
  }
}
