import Core
import FirestoreModel
import HTTPService
import Persistence

/// The exports and imports of the pages, as downloads and uploads. The hub's exports and imports
/// use files on the emulator's machine instead.
extension UIService {
  /// Returns the documents of a database as a file with one line of JSON each, as in an ndjson
  /// export.
  func exportLines(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let database = try database(request)
    let lines = try DocumentLines(of: database, in: store)
    var response = ServiceResponse.stream(contentType: "application/x-ndjson; charset=utf-8") {
      writer in
      while let bytes = try lines.next() { try await writer.write(bytes) }
    }
    let name = DocumentLines.fileName(of: database)
    response.headers += [
      ("cache-control", "no-store"), ("content-disposition", "attachment; filename=\"\(name)\""),
    ]
    return response
  }

  private struct Imported: Encodable {
    var documents: Int
  }

  /// Imports the documents in the lines of a request's body.
  ///
  /// The body is the file of an ndjson export, or a part of it. `?line=` is the number that the
  /// body's first line has in the file.
  func importLines(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let text = request[query: "line"] ?? "1"
    guard let line = Int(text), line > 0 else {
      throw StatusError(.invalidArgument, "line must be a whole number of at least 1")
    }
    let documents = try await transfer.importLines(
      request.body,
      firstLine: line,
      into: try database(request),
      firesTriggers: try firesTriggers(request)
    )
    return .json(Imported(documents: documents))
  }

  private func firesTriggers(_ request: ServiceRequest) throws(StatusError) -> Bool {
    let text = request[query: "triggers"] ?? "false"
    guard let firesTriggers = Bool(text) else {
      throw StatusError(.invalidArgument, "triggers must be true or false")
    }
    return firesTriggers
  }

  /// Returns the database that a request's query names, or else the default one.
  func database(_ request: ServiceRequest) throws(StatusError) -> DatabaseName {
    let id = request[query: "database"] ?? "(default)"
    return try DatabaseName("projects/\(about.project)/databases/\(id)")
  }
}
