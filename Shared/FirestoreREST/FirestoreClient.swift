package import FirestoreModel
import GoogleAuth
package import HTTPTransport
import JSONCoding
import Platform
package import RPCStatus

/// Firestore over its REST API v1, for one invocation.
///
/// A value made per invocation: it carries the invocation's deadline and trace, and shares the
/// process's connections.
package struct FirestoreClient: Sendable {
  package let endpoint: FirestoreEndpoint
  private let transport: HTTPTransport
  private let deadline: ContinuousClock.Instant
  private let traceparent: String?
  private let onCommit: @Sendable ([Write]) -> Void

  /// - Parameter onCommit: told about the writes of every commit that went through.
  package init(
    endpoint: FirestoreEndpoint,
    transport: HTTPTransport,
    deadline: ContinuousClock.Instant,
    traceparent: String? = nil,
    onCommit: @escaping @Sendable ([Write]) -> Void = { _ in }
  ) {
    self.endpoint = endpoint
    self.transport = transport
    self.deadline = deadline
    self.traceparent = traceparent
    self.onCommit = onCommit
  }

  /// The full name of a document of this database.
  package func name(_ path: String) throws(StatusError) -> DocumentName {
    try DocumentName(database: endpoint.database, path: ResourcePath(path))
  }

  /// One document, nil if there is none.
  package func document(_ name: DocumentName) async throws(StatusError) -> Document? {
    try await documents([name])[name]
  }

  /// The documents that exist of those named, all as of one instant.
  package func documents(_ names: [DocumentName]) async throws(StatusError)
    -> [DocumentName: Document]
  {
    guard !names.isEmpty else { return [:] }
    let answers: [BatchGetDocumentsResponse] = try await post(
      "\(endpoint.database.documents):batchGet",
      BatchGetDocumentsRequest(documents: names),
      retry: RetryPolicy()
    )
    let found = answers.compactMap(\.found)
    return Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The documents a query finds below a document, or below the root.
  package func run(
    _ query: StructuredQuery,
    below parent: DocumentName? = nil
  ) async throws(StatusError) -> [Document] {
    let answers: [RunQueryResponse] = try await post(
      "\(parent?.description ?? endpoint.database.documents):runQuery",
      RunQueryRequest(query),
      retry: RetryPolicy()
    )
    return answers.compactMap(\.document)
  }

  /// Writes all or nothing.
  ///
  /// A commit whose answer was lost may have been applied when it is sent again: give writes that
  /// must not happen twice a precondition.
  @discardableResult
  package func commit(_ writes: [Write]) async throws(StatusError) -> CommitResponse {
    let response: CommitResponse = try await post(
      "\(endpoint.database.documents):commit",
      CommitRequest(writes: writes),
      retry: RetryPolicy(statuses: [429, 503])
    )
    onCommit(writes)
    return response
  }

  // MARK: One request

  private func post<Request: Encodable, Response: Decodable>(
    _ resource: String,
    _ message: Request,
    retry: RetryPolicy
  ) async throws(StatusError) -> Response {
    guard let body = try? JSON.encode(message) else {
      throw StatusError(.internal, "a Firestore request can't be encoded")
    }
    var headers = [HTTPHeader("Content-Type", "application/json")]
    if let traceparent { headers.append(HTTPHeader("traceparent", traceparent)) }
    switch endpoint.authorization {
    case .owner: headers.append(HTTPHeader("Authorization", "Bearer owner"))
    case .accessToken(let source):
      let token = try await source.accessToken(deadline: deadline)
      headers.append(HTTPHeader("Authorization", token.authorization))
    }
    let request = HTTPRequest(
      method: "POST",
      url: url(of: resource),
      headers: headers,
      body: body,
      // An emulator may run in a container with a name of its own; it takes no key.
      allowsPlaintext: endpoint.isEmulator
    )
    let response: HTTPResponse
    do throws(StatusError) {
      response = try await transport.send(request, deadline: deadline, retry: retry).response
    } catch {
      throw explained(error)
    }
    guard response.status == 200 else { throw failure(response) }
    do throws(StatusError) {
      return try JSON.decode(Response.self, from: response.body, what: "Firestore's answer")
    } catch {
      throw StatusError(.unavailable, error.message)
    }
  }

  /// Ids may hold anything but a slash; each segment is encoded, a verb at the end is not.
  private func url(of resource: String) -> String {
    let (name, verb) =
      resource.lastIndex(of: ":").map { (resource[..<$0], resource[$0...]) } ?? (resource[...], "")
    let path = name.split(separator: "/").map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
    return "\(endpoint.baseURL)/v1/\(path)\(verb)"
  }

  private func explained(_ error: StatusError) -> StatusError {
    guard endpoint.isEmulator, error.code == .unavailable else { return error }
    var error = error
    error.message += "; is the emulator of FIRESTORE_EMULATOR_HOST running?"
    return error
  }

  /// The streaming methods wrap their error in an array; the others don't.
  private func failure(_ response: HTTPResponse) -> StatusError {
    let what = "Firestore's answer"
    let body =
      (try? JSON.decode(ErrorResponse.self, from: response.body, what: what))
      ?? (try? JSON.decode([ErrorResponse].self, from: response.body, what: what))?.first
    let code =
      body?.error.status.flatMap(StatusCode.init(rawValue:))
      ?? StatusCode(httpStatus: response.status)
    let message = "Firestore: \(body?.error.message ?? "HTTP \(response.status)")"
    return switch code {
    // The functions call as themselves: a refusal is about our own credentials.
    case .unauthenticated, .permissionDenied: .configuration(code, message)
    default: StatusError(code, message, retryAfter: response.retryAfter)
    }
  }
}
