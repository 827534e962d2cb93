import Core
import TestKit
import Testing

@testable import ProviderFakes

struct DifferenceTests {
  @Test func `differences are listed with their paths`() throws {
    let differences = try Difference.all(
      expected: json(#"{"a":[1,2],"b":{"c":"x"},"d":null}"#),
      actual: json(#"{"a":[1,3,4],"b":{"c":"x"},"e":true}"#)
    )
    #expect(
      differences.map(\.description) == [
        "a[1]: expected 2, was 3", "a[2]: expected nothing, was 4",
        "d: expected null, was nothing", "e: expected nothing, was true",
      ]
    )
  }

  @Test func `for long texts only the difference is shown`() {
    let same = String(repeating: "x", count: 1_000)
    let difference = Difference(
      path: "a",
      expected: .string(same + "old"),
      actual: .string(same + "new")
    )
    #expect(difference.description.contains(#"xold""#))
    #expect(difference.description.contains(#"xnew""#))
    #expect(difference.description.count < 200)
  }
}
