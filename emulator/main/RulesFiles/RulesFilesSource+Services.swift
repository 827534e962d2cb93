import CloudStorage
import Core
import RealtimeDatabase
import Rules

extension RulesFilesSource<DatabaseRules> {
  /// Reads the rules of Realtime Databases.
  static func ofDatabases(
    _ named: [FirebaseConfiguration.OwnedRulesFile] = [],
    folder: String = "",
    isOff: Bool = false
  ) throws(StatusError) -> RulesFilesSource {
    try RulesFilesSource(named, folder: folder, subject: "the database's", isOff: isOff) {
      text,
      name throws(StatusError) in
      do throws(CompilationError) {
        return try DatabaseRules(compiling: text)
      } catch {
        throw error.statusError(in: name)
      }
    }
  }

  var configured: DatabaseStore.ConfiguredRules {
    var configured = DatabaseStore.ConfiguredRules()
    (configured.byDatabase, configured.others) = rules
    return configured
  }
}

extension RulesFilesSource<RulesFile> {
  /// Reads the rules of Cloud Storage's buckets.
  static func ofStorage(
    _ named: [FirebaseConfiguration.OwnedRulesFile] = [],
    folder: String = "",
    isOff: Bool = false
  ) throws(StatusError) -> RulesFilesSource {
    try RulesFilesSource(named, folder: folder, subject: "Cloud Storage's", isOff: isOff) {
      text,
      name throws(StatusError) in
      let file = RulesFile(name: name, content: text)
      if case .failure(let error) = file.compiled { throw error.statusError(in: name) }
      return file
    }
  }

  /// The warnings of each file that has any.
  var reports: [String] {
    files.map { $0.rules.report(as: .storage) }.filter { !$0.isEmpty }
  }

  var configured: StorageRules.Configured {
    var configured = StorageRules.Configured()
    (configured.byBucket, configured.others) = rules
    return configured
  }
}
