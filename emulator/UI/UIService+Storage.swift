import CloudStorage
import HTTPService

extension UIService {
  private struct Storage: Encodable {
    var rules: RulesFilesStatus.Report
    /// A Boolean value that indicates whether a client has set rules, which hold for all buckets.
    var hasOwnRules: Bool
    /// The names of the buckets.
    var buckets: [String]
  }

  /// The buckets of Cloud Storage, and their rules.
  var storageReport: ServiceResponse {
    .json(
      Storage(
        rules: storageRulesStatus.report,
        hasOwnRules: storageRules.hasOwnRules,
        buckets: objects.buckets.map(\.name)
      )
    )
  }
}
