extension JSONValue {
  /// JSON from outside that others read after us; nil if it is none.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming it, if the outermost object has two members of one name:
  ///   each reader may take another.
  package init?(unambiguous data: Data) throws(StatusError) {
    do throws(JSONParser.Malformed) {
      self = try JSONParser.parse(data, limits: JSONLimits(allowsRepeatedNamesAtTop: false))
    } catch {
      guard let name = error.repeatedName else { return nil }
      throw StatusError(.invalidArgument, "the member \(quoted(name)) appears twice")
    }
  }
}
