package import Core
import FunctionRuntime

/// What a replay says about a file.
package struct ReplayReport: Sendable {
  package enum Verdict: Sendable {
    case same
    /// A line for each difference.
    case differs([String])
    /// Its fixture now has what came of it this time.
    case updated
    /// Why it can't be replayed.
    case bad(String)
  }

  package var file: FixtureFile
  /// nil if it can't be read.
  package var fixture: ReplayFixture?
  package var verdict: Verdict
  package var duration: Duration

  package init(
    file: FixtureFile,
    fixture: ReplayFixture?,
    verdict: Verdict,
    duration: Duration = .zero
  ) {
    self.file = file
    self.fixture = fixture
    self.verdict = verdict
    self.duration = duration
  }
}

extension [ReplayReport] {
  /// How many are the same, differ, were updated, are bad.
  package var counts: (same: Int, differing: Int, updated: Int, bad: Int) {
    reduce(into: (0, 0, 0, 0)) { counts, report in
      switch report.verdict {
      case .same: counts.0 += 1
      case .differs: counts.1 += 1
      case .updated: counts.2 += 1
      case .bad: counts.3 += 1
      }
    }
  }

  /// The report as CI systems read it: JUnit's XML.
  package var junit: Data {
    let counts = counts
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuite name="emulator replay" tests="\#(count)" failures="\#(counts.differing)" errors="\#(counts.bad)">"#,
    ]
    for report in self {
      let name = report.file.path.escapedForXML
      let group = (report.fixture?.function ?? "fixture").escapedForXML
      let seconds = Double(Int(report.duration / .milliseconds(1))) / 1_000
      let head = #"  <testcase classname="\#(group)" name="\#(name)" time="\#(seconds)""#
      switch report.verdict {
      case .same, .updated: lines.append("\(head)/>")
      case .differs(let problems):
        let text = problems.joined(separator: "\n").escapedForXML
        lines.append(#"\#(head)><failure message="it differs">\#(text)</failure></testcase>"#)
      case .bad(let reason):
        lines.append(#"\#(head)><error message="\#(reason.escapedForXML)"/></testcase>"#)
      }
    }
    lines.append("</testsuite>\n")
    return Data(lines.joined(separator: "\n").utf8)
  }
}

extension String {
  fileprivate var escapedForXML: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n", "\t": text.unicodeScalars.append(scalar)
      // XML 1.0 has no other controls, not even escaped.
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
