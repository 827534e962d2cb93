import Core
import FirestoreModel
import HTTPService
import Persistence

/// The route `POST /emulator/v1/projects/{p}:export`, which Firebase's tools use to export from
/// Google's emulator.
extension FirestoreREST {
  /// The body of an export request, in the format of Google's emulator.
  private struct ExportRequest: Decodable {
    /// The database's full name.
    var database: String
    /// The path of an existing folder.
    var exportDirectory: String
    /// The name of the new folder in the existing one.
    var exportName: String

    private enum CodingKeys: String, CodingKey {
      case database
      case exportDirectory = "export_directory"
      case exportName = "export_name"
    }
  }

  /// Exports a database in Google's format.
  ///
  /// - Parameter project: The project in the URL's path.
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
