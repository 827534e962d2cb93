import Foundation

/// Access to files of this package.
package enum Repository {
  package static let folder =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  package static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
  }

  /// Returns the rows of the table `Tests/Evaluation/{name}.tsv`, split into columns.
  package static func evaluation(_ name: String) throws -> [[String]] {
    try text("Tests/Evaluation/\(name).tsv").split(separator: "\n").map { line in
      line.split(separator: "\t").map(String.init)
    }
  }
}
