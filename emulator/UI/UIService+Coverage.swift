import Core
import FirestoreAPI
import HTTPService
package import Rules

/// The report of `GET /api/rules/coverage`: the gaps in the coverage of a project's rules.
package struct CoverageReport: Codable {
  package struct Gap: Codable {
    package var line: Int
    package var column: Int
    package var text: String
    package var kind: CoverageGap.Kind
  }

  /// The name of the file with the project's rules.
  package var file: String
  /// The number of expressions.
  package var expressions: Int
  /// The number of expressions that were evaluated.
  package var evaluated: Int
  package var gaps: [Gap]
}

extension UIService {
  /// Returns the gaps in the coverage of a project's rules.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the project's data is open or its rules have errors.
  func coverage(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let project = request[query: "project"] ?? about.project
    let (file, coverage) = rules.coverage(of: project)
    guard let file else {
      throw StatusError(
        .failedPrecondition,
        "project \(quoted(project)) has no security rules: all data is open"
      )
    }
    guard let coverage else {
      throw StatusError(.failedPrecondition, "the rules of project \(quoted(project)) have errors")
    }
    let (all, evaluated) = coverage.expressionCounts
    return .json(
      CoverageReport(
        file: file.name,
        expressions: all,
        evaluated: evaluated,
        gaps: coverage.gaps.map { gap in
          CoverageReport.Gap(
            line: gap.range.line,
            column: gap.range.column,
            text: gap.text.split(whereSeparator: \.isWhitespace).joined(separator: " "),
            kind: gap.kind
          )
        }
      )
    )
  }
}
