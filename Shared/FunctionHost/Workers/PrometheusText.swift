/// Metrics in Prometheus's text format 0.0.4.
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats, and for names
/// prometheus.io/docs/practices/naming.
package struct PrometheusText: Sendable {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  package enum Kind: String, Sendable { case counter, gauge, histogram }

  package typealias Labels = [String: String]

  package private(set) var text = ""

  package init() {}

  /// Writes a metric's header and its samples.
  package mutating func write(
    _ name: String,
    _ kind: Kind,
    _ help: String,
    _ samples: [(labels: Labels, value: Int)]
  ) {
    writeHead(name, kind, help)
    for (labels, value) in samples { write(name, labels, value) }
  }

  /// Writes a metric's header and a single sample without labels.
  package mutating func write(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    write(name, kind, help, [([:], value)])
  }

  /// Writes a metric's header and its histograms.
  package mutating func write(
    _ name: String,
    _ help: String,
    _ histograms: [(labels: Labels, histogram: Histogram)]
  ) {
    writeHead(name, .histogram, help)
    for (labels, histogram) in histograms {
      let bounds = histogram.bounds.map { "\($0)" } + ["+Inf"]
      for (bound, count) in zip(bounds, histogram.counts + [histogram.count]) {
        write("\(name)_bucket", labels.merging(["le": bound]) { $1 }, count)
      }
      write("\(name)_sum", labels, histogram.sum)
      write("\(name)_count", labels, histogram.count)
    }
  }

  private mutating func writeHead(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func write(_ name: String, _ labels: Labels, _ value: some Numeric) {
    let list = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\(Self.escaped($1))\"" }
    text +=
      list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list.joined(separator: ","))} \(value)\n"
  }

  /// Escapes backslashes, quotes and line feeds in a label's value.
  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
