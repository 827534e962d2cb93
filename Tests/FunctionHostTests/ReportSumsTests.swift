import Core
import FunctionHost
import FunctionRuntime
import Testing

struct ReportSumsTests {
  private func result(usage: String = "", _ latencies: String = "{}") throws -> InvocationResult {
    try InvocationResult(
      line: Data(
        (#"{"status":"ok","usage":{"engines":["nmt"],"providerCalls":1,"cacheHits":0,"cacheMisses":0,"#
          + #""charactersBilled":0,"promptTokens":0,"completionTokens":0,"costMicros":0\#(usage)},"#
          + #""messageLatencies":\#(latencies)}"#).utf8
      )
    )
  }

  @Test func `usage and latencies of all results are summed`() throws {
    var sums = ReportSums()
    sums.add(try result(usage: #","pushesSent":2"#, #"{"pushMs":500,"translationMs":1000}"#))
    sums.add(try result(usage: #","pushesSent":3,"pushesOpened":1"#, #"{"pushMs":2500}"#))
    sums.add(.acknowledged)
    #expect(sums.usage.providerCalls == 2)
    #expect(sums.usage.engines == ["nmt"])
    #expect(sums.usage.pushesSent == 5)
    #expect(sums.usage.pushesOpened == 1)
    #expect(sums.usage.translationsServed == nil)
    #expect(sums.messageLatencies[.push]?.count == 2)
    #expect(sums.messageLatencies[.push]?.sum == 3)
    #expect(sums.messageLatencies[.translation]?.count == 1)
    #expect(sums.messageLatencies[.open] == nil)
  }

  @Test func `a sum doesn't overflow, and counters never decrease`() throws {
    var sums = ReportSums()
    let most = Int.max
    for count in [most, most, -5] { sums.add(try result(usage: #","pushesSent":\#(count)"#)) }
    #expect(sums.usage.pushesSent == .max)
    #expect(sums.usage.providerCalls == 3)
  }
}
