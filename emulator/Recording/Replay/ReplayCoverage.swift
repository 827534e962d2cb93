package import FunctionRuntime

/// The outcomes of functions that no fixture covers.
package struct ReplayCoverage: Sendable {
  /// The outcomes of an invocation: `ok`, `skipped`, or an error with an exit code.
  private static let ends: [(status: String, exitCode: Int32)] =
    [("ok", 0), ("skipped", 0)] + [65, 70, 75, 77, 78].map { ("error", $0) }

  private let manifests: [FunctionManifest]
  private let fixtures: [ReplayFixture]

  package init(_ manifests: [FunctionManifest], fixtures: [ReplayFixture]) {
    self.manifests = manifests.sorted { $0.name < $1.name }
    self.fixtures = fixtures
  }

  /// The lines of the report: each function's missing outcomes, by event and call.
  package var lines: [String] {
    manifests.map { manifest in
      var missing: [String] = []
      for isEvent in [true, false] where isEvent ? !manifest.triggers.isEmpty : manifest.callable {
        let ends = Self.ends.filter { end in
          !fixtures.contains {
            $0.function == manifest.name && $0.isEvent == isEvent
              && $0.expected.status == end.status && $0.expected.exitCode == end.exitCode
          }
        }
        let names = ends.map { $0.status == "error" ? String($0.exitCode) : $0.status }
        if !names.isEmpty {
          missing.append("\(isEvent ? "event" : "call") \(names.joined(separator: " "))")
        }
      }
      let what = missing.isEmpty ? "nothing" : missing.joined(separator: "; ")
      return "\(manifest.name): no fixture of \(what)"
    }
  }
}
