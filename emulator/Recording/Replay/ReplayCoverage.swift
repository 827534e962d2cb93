package import FunctionRuntime

/// Which ends of which functions no fixture shows.
package struct ReplayCoverage: Sendable {
  /// How an invocation ends: `ok`, `skipped`, or an error with one of the exit codes.
  private static let ends: [(status: String, exitCode: Int32)] =
    [("ok", 0), ("skipped", 0)] + [65, 70, 75, 77, 78].map { ("error", $0) }

  private let manifests: [FunctionManifest]
  private let fixtures: [ReplayFixture]

  package init(_ manifests: [FunctionManifest], fixtures: [ReplayFixture]) {
    self.manifests = manifests.sorted { $0.name < $1.name }
    self.fixtures = fixtures
  }

  /// A line for each function: what is missing, by what wakes it.
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
