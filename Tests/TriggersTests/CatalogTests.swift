import Processes
import TestKit
import Testing
import Triggers

/// What is found in a folder, and what is said of the rest.
@Suite(.timeLimit(.minutes(2)))
struct CatalogTests {
  @Test func `what is no function is named with the reason`() async throws {
    try await withTemporaryFolder { folder in
      let (catalog, warnings) = try await discover(["x": "#!/bin/sh\nexit 7\n"], in: folder)
      #expect(catalog.functions.isEmpty)
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("path=\(folder)/x") == true)
      #expect(warnings.first?.contains("--describe ended with code 7") == true)
    }
  }

  @Test func `of two functions of one name the first counts and the second is named`() async throws
  {
    try await withTemporaryFolder { folder in
      let one = script("same", "", ":")
      let (catalog, warnings) = try await discover(["a": one, "b": one], in: folder)
      #expect(catalog.functions["same"]?.command.executable == "\(folder)/a")
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("path=\(folder)/b") == true)
      #expect(warnings.first?.contains("\(folder)/a is same already") == true)
    }
  }
}
