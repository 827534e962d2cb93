import HTTPService
import RealtimeDatabase

extension UIService {
  private struct Databases: Encodable {
    var rules: RulesFilesStatus.Report
    var databases: [DatabaseReport]
  }

  /// The Realtime Databases, who listens to them, and their rules.
  var databaseReport: ServiceResponse {
    .json(Databases(rules: databaseRules.report, databases: databases.reports))
  }
}
