import Core
import FirestoreModel
import HTTPService
import Persistence

/// `POST /emulator/v1/projects/{p}:export`, which Firebase's tools call on Google's emulator.
extension FirestoreHTTP {
  /// Google's emulator names the parts so.
  private struct ExportRequest: Decodable {
    /// A full name.
    var database: String
    /// A folder that is there.
    var exportDirectory: String
    /// Of the folder in it that is made.
    var exportName: String

    private enum CodingKeys: String, CodingKey {
      case database
      case exportDirectory = "export_directory"
      case exportName = "export_name"
    }
  }

  /// - Parameter project: which the path names.
  func export(
    _ request: ServiceRequest,
    of project: String
  ) async throws(StatusError) -> ServiceResponse {
    try request.refuseOrigin(for: "exports")
    let wanted = try request.json(ExportRequest.self)
    let database = try DatabaseName(wanted.database)
    guard database.project == project else {
      throw StatusError(.invalidArgument, "\(database) is not in the project \(quoted(project))")
    }
    try await transfer.exportAsGoogle(
      database,
      into: wanted.exportDirectory,
      name: wanted.exportName
    )
    return .json(JSONValue.object([:]))
  }
}
