import Rules
import Testing

struct IssueTests {
  @Test func `an issue without a range is about the whole text`() {
    #expect(Issue(.warning, "Ruleset uses old version", at: nil).range == nil)
  }
}
