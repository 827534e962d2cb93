import Core
import Rules

/// A page that shows a ruleset's text and how often its expressions were evaluated.
struct CoveragePage {
  var file: RulesFile
  /// The expressions, or nothing if the rules don't compile.
  var counts: [RuleCoverage.Count]

  /// The page as HTML.
  var html: String {
    var rows = ""
    var ofLines: [Int: [RuleCoverage.Count]] = [:]
    for count in counts { ofLines[count.range.line, default: []].append(count) }
    // Only a line feed ends a line, as for the compiler.
    let lines = file.content.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      rows += row(of: ofLines[index + 1] ?? [], line: index + 1, String(line))
    }
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>Coverage of security rules</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem; }
      table { border-collapse: collapse; font: 14px/1.6 ui-monospace, monospace; }
      td { padding: 0 .75rem; vertical-align: top; white-space: pre-wrap; }
      td:not(:nth-child(3)) { color: gray; text-align: right; }
      .never td { background: color-mix(in srgb, red 18%, transparent); }
      .evaluated td { background: color-mix(in srgb, green 14%, transparent); }
      summary { cursor: pointer; }
      ul { margin: 0; }
      i { margin-left: .75rem; opacity: .75; }
      </style>
      <h1>Coverage of security rules</h1>
      <p>\(file.name.isEmpty ? "" : "\(file.name.escapedForHTML): ")the number of evaluations of each line's expressions since the
      rules were set. Open a line to see the values. Red lines were never evaluated.</p>
      <table>
      \(rows)</table>
      </html>

      """
  }

  private func row(of counts: [RuleCoverage.Count], line: Int, _ text: String) -> String {
    guard !counts.isEmpty else {
      return "<tr><td>\(line)</td><td></td><td>\(text.escapedForHTML)</td></tr>\n"
    }
    let most = counts.map(\.evaluations).max() ?? 0
    let items = counts.map { count in
      let values = count.values.map { "\($0.value.escapedForHTML) ×\($0.count)" }
      return "<li>\(count.text.escapedForHTML) <i>"
        + "\(values.isEmpty ? "never evaluated" : values.joined(separator: ", "))</i></li>"
    }
    return """
      <tr class="\(most == 0 ? "never" : "evaluated")"><td>\(line)</td><td>\(most)</td>\
      <td><details><summary>\(text.escapedForHTML)</summary><ul>\(items.joined())</ul></details>\
      </td></tr>

      """
  }
}

extension String {
  fileprivate var escapedForHTML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
