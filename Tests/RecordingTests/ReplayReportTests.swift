import Core
import FunctionRuntime
import TestKit
import Testing

@testable import Recording

struct ReplayReportTests {
  @Test func `JUnit's report has a case for each file, and is XML whatever is in it`() throws {
    let fixture = try SampleFixture.make()
    let reports = [
      ReplayReport(file: .init(path: "a.json"), fixture: fixture, verdict: .same),
      ReplayReport(
        file: .init(path: "b.json"),
        fixture: fixture,
        verdict: .differs([#"x: expected "<&>", was "\#u{1}""#]),
        duration: .milliseconds(1_234)
      ),
      ReplayReport(file: .init(path: "c\".json"), fixture: nil, verdict: .bad("no version")),
    ]
    #expect(
      String(decoding: reports.junit, as: UTF8.self) == #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="emulator replay" tests="3" failures="1" errors="1">
          <testcase classname="translateMessage" name="a.json" time="0.0"/>
          <testcase classname="translateMessage" name="b.json" time="1.234"><failure message="the replay differs">x: expected &quot;&lt;&amp;&gt;&quot;, was &quot;\#u{FFFD}&quot;</failure></testcase>
          <testcase classname="fixture" name="c&quot;.json" time="0.0"><error message="no version"/></testcase>
        </testsuite>

        """#
    )
    let counts = reports.counts
    #expect(counts == (same: 1, differing: 1, updated: 0, bad: 1))
  }

  @Test func `coverage names the outcomes without a fixture, by trigger`() throws {
    let manifests = [
      FunctionManifest(
        name: "translateMessage",
        triggers: [.init(eventType: EventType(.created), document: "a/{b}")],
        callable: true
      ),
      FunctionManifest(name: "askAI", callable: true),
    ]
    let lines = ReplayCoverage(manifests, fixtures: [try SampleFixture.make()]).lines
    #expect(
      lines == [
        "askAI: no fixture of call ok skipped 65 70 75 77 78",
        "translateMessage: no fixture of event skipped 65 70 75 77 78; call ok skipped 65 70 75 77 78",
      ]
    )
  }
}
