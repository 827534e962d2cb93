extension Ruleset {
  /// Decides on a request.
  ///
  /// - Parameters:
  ///   - documents: The documents that the rules may read.
  ///   - accesses: The documents that were read. Its limit holds for the request.
  package func decide(
    _ request: RulesRequest,
    documents: some DocumentReader,
    accesses: inout DocumentAccesses
  ) -> Decision { fatalError() }
}

/// The documents that rules have read for one request, and how many they may read.
package struct DocumentAccesses: Sendable {
  /// The paths of the documents, by their segments.
  package private(set) var paths: Set<[String]> = []
  /// The most documents that may be read, 10 or 20.
  package let limit: Int

  package init(limit: Int) { self.limit = limit }
}
