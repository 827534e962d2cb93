package import Core
import FunctionRuntime

/// The result of replaying a fixture's file.
package struct ReplayReport: Sendable {
  package enum Verdict: Sendable {
    case same
    /// The outcome differs, with a line for each difference.
    case differs([String])
    /// The fixture was overwritten with the new outcome.
    case updated
    /// The fixture can't be replayed, with the reason.
    case bad(String)
  }

  package var file: FixtureFile
  /// The fixture, or `nil` if the file can't be read.
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
  /// The number of fixtures by verdict.
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

  /// The report in JUnit's XML format, for CI systems.
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
        lines.append(
          #"\#(head)><failure message="the replay differs">\#(text)</failure></testcase>"#
        )
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
      // XML 1.0 doesn't allow other control characters, even escaped.
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
