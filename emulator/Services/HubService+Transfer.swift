import Core
import HTTPService
import Persistence

/// Exports and imports, which commands ask the running emulator for.
extension HubService {
  /// What Firebase's tools send, and what our own add to it.
  private struct ExportRequest: Decodable {
    /// As the emulator's machine has it.
    var path: String
    /// Services, as Firebase's tools name them; nil for all.
    var targets: [String]?
    /// Firebase's tools know no other than Google's, which is the default.
    var format: String?
    /// Ids; nil for all.
    var databases: [String]?
  }

  private struct ImportRequest: Decodable {
    var path: String
    /// nil: the one each document is from.
    var database: String?
    var firesTriggers: Bool?
  }

  func export(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    try request.refuseOrigin(for: "exports and imports")
    let wanted = try request.json(ExportRequest.self)
    guard let format = ExportFormat(rawValue: wanted.format ?? ExportFormat.google.rawValue) else {
      throw StatusError(
        .invalidArgument,
        "format \(quoted(wanted.format ?? "")) is none of "
          + ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      )
    }
    if let targets = wanted.targets, !targets.contains("firestore") {
      throw StatusError(.invalidArgument, "targets: only firestore can be exported")
    }
    return .json(
      try await transfer.export(
        project,
        databases: wanted.databases,
        to: wanted.path,
        as: format
      ).json
    )
  }

  /// Recordings hold what people wrote, and so do exports: both are for this machine's user alone.
  func record(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    try request.refuseOrigin(for: "recordings")
    guard let recordings else { throw notFound(request) }
    return try await recordings.respond(to: request)
  }

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
      "ignored": .array(ignored.map(JSONValue.string)),
    ])
  }
}
