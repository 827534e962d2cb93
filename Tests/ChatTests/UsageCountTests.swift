import Core
import FirestoreModel
import TestKit
import Testing

@testable import Chat

struct UsageCountTests {
  private func entry(_ fields: Fields = [:], id: String = "k") throws -> Document {
    try ChatDocuments.document("translations/\(id)", fields)
  }

  /// Counts uses of a cached translation.
  ///
  /// - Returns: the final count, and the number of uses that caused a write.
  private func use(_ entry: Document, times: Int) -> (count: Int64, writes: Int) {
    var (count, writes): (Int64, Int) = (0, 0)
    for use in 0..<times {
      let increment = UsageCount.increment(at: count, of: entry.name, by: "conversations/c/m\(use)")
      if increment > 0 { writes += 1 }
      count += increment
    }
    return (count, writes)
  }

  @Test func `a few uses are counted exactly`() throws {
    for times in 0...16 {
      let used = try use(entry(), times: times)
      #expect(used.count == Int64(times))
      #expect(used.writes == times)
    }
  }

  @Test func `many uses are counted right on average, with few writes`() throws {
    let entries = 100
    var (sum, most): (Int64, Int) = (0, 0)
    for id in 0..<entries {
      let used = try use(entry(id: "k\(id)"), times: 10_000)
      sum += used.count
      most = max(most, used.writes)
    }
    let mean = Double(sum) / Double(entries)
    #expect((9_700...10_300).contains(mean))
    // Each doubling of the count takes sixteen writes at most, on average. 10,000 is below 2¹⁴.
    #expect(most < 16 * 14)
  }

  @Test func `the same use always decides alike`() throws {
    let entry = try entry()
    for count in [16, 100, 5_000, .max, .min] as [Int64] {
      let decisions = (0..<50).map { UsageCount.increment(at: count, of: entry.name, by: "m\($0)") }
      #expect(
        decisions == (0..<50).map { UsageCount.increment(at: count, of: entry.name, by: "m\($0)") }
      )
      #expect(decisions.allSatisfy { $0 >= 0 })
    }
  }

  // MARK: The end of a use

  @Test(arguments: [nil, 0, 1, -7, "many"] as [Value?])
  func `an entry without further uses is deleted, if unchanged`(count: Value?) throws {
    var fields: Fields = ["sourceText": "Hello"]
    fields["usageCount"] = count
    let entry = try entry(fields)
    #expect(
      UsageCount.endingUse(of: entry, "Hello")
        == Write(.delete(entry.name), currentDocument: .updateTime(ChatDocuments.updateTime))
    )
  }

  @Test(arguments: [2, 16] as [Int64])
  func `an entry with other uses has one less`(count: Int64) throws {
    let entry = try entry(["usageCount": .integer(count)])
    let write = try #require(UsageCount.endingUse(of: entry, "Hello"))
    #expect(write.updateMask == FieldMask([]))
    #expect(
      write.updateTransforms == [.init(FieldPath("usageCount"), .increment(.integer(-1)))]
    )
    #expect(write.currentDocument == .updateTime(ChatDocuments.updateTime))
  }

  @Test func `an entry with many uses, or of another text, is left alone`() throws {
    for fields in [
      ["usageCount": 17], ["usageCount": .integer(.max)], ["usageCount": 1, "sourceText": "Bye"],
      ["sourceText": 7],
    ] as [Fields] {
      #expect(try UsageCount.endingUse(of: entry(fields), "Hello") == nil)
    }
  }
}
