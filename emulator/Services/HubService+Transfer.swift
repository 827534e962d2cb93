import Core
import HTTPService
import Persistence

/// The exports and imports that commands request from the running emulator.
extension HubService {
  /// The body of `POST /_admin/export`. Firebase's tools send `path` and `targets`.
  private struct ExportRequest: Decodable {
    /// The path of the folder on the emulator's machine.
    var path: String
    /// Firebase's names of the services to export, or `nil` for all.
    var targets: [String]?
    /// The format, or `nil` for Google's, the only one that Firebase's tools know.
    var format: String?
    /// The ids of the databases, or `nil` for all.
    var databases: [String]?
  }

  /// The body of `POST /_admin/import`.
  private struct ImportRequest: Decodable {
    var path: String
    /// The database to write to, or `nil` for the one that each document was exported from.
    var database: String?
    var firesTriggers: Bool?
  }

  /// Exports documents, and the data of other services, to a folder.
  func export(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    try request.refuseOrigin(for: "exports and imports")
    let wanted = try request.json(ExportRequest.self)
    guard let format = ExportFormat(rawValue: wanted.format ?? ExportFormat.google.rawValue) else {
      throw StatusError(
        .invalidArgument,
        "format \(quoted(wanted.format ?? "")) is not one of "
          + ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      )
    }
    return .json(
      try await transfer.export(
        project,
        databases: wanted.databases,
        targets: wanted.targets.map(Set.init),
        to: wanted.path,
        as: format
      ).json
    )
  }

  /// Passes a request to the service of recordings. Refuses a request from a web page.
  ///
  /// Recordings and exports contain people's texts, so only this machine's user may have them.
  func record(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    try request.refuseOrigin(for: "recordings")
    guard let recordings else { throw notFound(request) }
    return try await recordings.respond(to: request)
  }

  /// Imports documents, and the data of other services, from an export.
  func importData(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    try request.refuseOrigin(for: "exports and imports")
    let wanted = try request.json(ImportRequest.self)
    return .json(
      try await transfer.importData(
        from: wanted.path,
        into: project,
        database: wanted.database,
        firesTriggers: wanted.firesTriggers ?? false
      ).json
    )
  }
}

extension TransferSummary {
  fileprivate var json: JSONValue {
    .object([
      "message": .string("OK"),
      "databases": .array(
        databases.map {
          .object(["database": .string($0.database), "documents": .integer(Int64($0.documents))])
        }
      ),
      "services": .array(services.map(JSONValue.string)),
      "ignored": .array(ignored.map(JSONValue.string)),
    ])
  }
}
