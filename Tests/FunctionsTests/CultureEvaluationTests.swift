import Chat
import Foundation
import FunctionRuntime
import Testing

@testable import analyzeMessage

/// The shares of messages that pass the prefilter, and their bounds. `make evaluate-engines` prints
/// them.
struct CultureEvaluationTests {
  @Test func `there are enough messages of every language`() throws {
    var figurative = 0
    var ordinary = 0
    for half in CultureMessages.Half.allCases {
      let messages = try CultureMessages.all(half)
      #expect(Set(messages.map(\.text)).count == messages.count)
      for language in CultureMessages.languages {
        let own = messages.filter { $0.language == language }
        #expect(own.count(where: \.isFigurative) >= 20, "\(language)")
        #expect(own.count { !$0.isFigurative } >= 50, "\(language)")
      }
      figurative += messages.count(where: \.isFigurative)
      ordinary += messages.count { !$0.isFigurative }
    }
    #expect(figurative >= 300)
    #expect(ordinary >= 1_000)
  }

  @Test(arguments: CultureMessages.Half.allCases)
  func `95 of 100 figurative messages pass the filter, and 10 of 100 others`(
    half: CultureMessages.Half
  ) throws {
    let filter = try CulturePrefilter(Configuration(environment: [:]))
    var total = Tally()
    print("\(half.rawValue): what reaches the model")
    for language in CultureMessages.languages {
      let reader = try Language(language)
      var tally = Tally()
      for message in try CultureMessages.all(half) where message.language == language {
        tally.add(message, passes: filter.passes(message.text, in: reader))
      }
      print("\(language)  \(tally)")
      total += tally
    }
    print("all \(total)")
    #expect(total.recall >= 95)
    #expect(total.passRate <= 10)
  }

  private struct Tally: CustomStringConvertible {
    private var figurative = (passed: 0, all: 0)
    private var ordinary = (passed: 0, all: 0)

    mutating func add(_ message: CultureMessages.Message, passes: Bool) {
      if message.isFigurative {
        figurative.all += 1
        figurative.passed += passes ? 1 : 0
      } else {
        ordinary.all += 1
        ordinary.passed += passes ? 1 : 0
      }
    }

    static func += (total: inout Tally, part: Tally) {
      total.figurative.passed += part.figurative.passed
      total.figurative.all += part.figurative.all
      total.ordinary.passed += part.ordinary.passed
      total.ordinary.all += part.ordinary.all
    }

    /// The share of figurative messages that pass the prefilter, in percent.
    var recall: Double { 100 * Double(figurative.passed) / Double(max(1, figurative.all)) }
    var passRate: Double { 100 * Double(ordinary.passed) / Double(max(1, ordinary.all)) }

    var description: String {
      let shares = [recall, passRate].map { String(format: "%5.1f %%", $0) }
      return "\(figurative.passed) of \(figurative.all) figurative \(shares[0])"
        + "   \(ordinary.passed) of \(ordinary.all) ordinary \(shares[1])"
    }
  }
}
