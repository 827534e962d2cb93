extension JSONValue {
  /// Creates a value from external JSON that another program parses too, or returns `nil` if the
  /// JSON is invalid.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the field, if the outermost object repeats a name: the
  ///   two parsers may disagree on which value counts.
  package init?(unambiguous data: Data) throws(StatusError) {
    do throws(JSONParser.Malformed) {
      self = try JSONParser.parse(data, limits: JSONLimits(allowsRepeatedNamesAtTop: false))
    } catch {
      guard let name = error.repeatedName else { return nil }
      throw StatusError(.invalidArgument, "the field \(quoted(name)) appears twice")
    }
  }
}
