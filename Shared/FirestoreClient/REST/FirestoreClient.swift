package import Core
package import FirestoreModel
import GoogleAuth
package import HTTPClient

/// A client of Firestore's REST API v1, for one invocation.
///
/// Create one per invocation, because it has the invocation's deadline and trace context. Clients
/// that have the same `HTTPClient` share its connections.
package struct FirestoreClient: Sendable {
  package let endpoint: FirestoreEndpoint
  private let transport: HTTPClient
  private let deadline: ContinuousClock.Instant
  private let traceparent: String?
  private let onCommit: @Sendable ([Write]) -> Void

  /// - Parameter onCommit: Called with the writes of each successful commit.
  package init(
    endpoint: FirestoreEndpoint,
    transport: HTTPClient,
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

  /// Returns the full name of a document of this database.
  package func name(_ path: String) throws(StatusError) -> DocumentName {
    try DocumentName(database: endpoint.database, path: ResourcePath(path))
  }

  /// Reads a document, or returns `nil` if it doesn't exist.
  package func document(_ name: DocumentName) async throws(StatusError) -> Document? {
    try await documents([name])[name]
  }

  /// Reads documents at one instant, and returns those that exist.
  package func documents(_ names: [DocumentName]) async throws(StatusError)
    -> [DocumentName: Document]
  {
    guard !names.isEmpty else { return [:] }
    return try await snapshot(names).documents
  }

  /// Reads documents at one instant, and returns their state and that instant.
  ///
  /// - Parameter names: The names of the documents; at least one.
  package func snapshot(_ names: [DocumentName]) async throws(StatusError) -> Snapshot {
    let start = ContinuousClock.now
    let answers: [BatchGetDocumentsResponse] = try await stream(
      "\(endpoint.database.documents):batchGet",
      BatchGetDocumentsRequest(documents: names)
    )
    guard Set(names).isSubset(of: answers.compactMap { $0.found?.name ?? $0.missing }) else {
      throw StatusError(.unavailable, "Firestore's response lacks a requested document")
    }
    // If the read times differ, every document still had this state at the latest of them.
    guard let readTime = answers.compactMap(\.readTime).max() else {
      throw StatusError(.unavailable, "Firestore's response lacks the read time")
    }
    let found = answers.compactMap(\.found)
    return Snapshot(
      of: names,
      documents: Dictionary(found.map { ($0.name, $0) }) { first, _ in first },
      clock: ClockReading(readTime, askedAt: start)
    )
  }

  /// Returns a snapshot that also covers the documents with the given names. Reads those that
  /// `snapshot` doesn't cover, with one request; if it covers all, sends no request.
  package func extended(
    _ snapshot: Snapshot,
    by names: some Sequence<DocumentName>
  ) async throws(StatusError) -> Snapshot {
    let missing = Set(names).filter { !snapshot.covers($0) }
    guard !missing.isEmpty else { return snapshot }
    return snapshot.adding(try await self.snapshot(Array(missing)))
  }

  /// Runs a query on collections below a document, or below the root if `parent` is `nil`, and
  /// returns the documents.
  package func run(
    _ query: StructuredQuery,
    below parent: DocumentName? = nil
  ) async throws(StatusError) -> [Document] {
    let answers: [RunQueryResponse] = try await stream(
      "\(parent?.description ?? endpoint.database.documents):runQuery",
      RunQueryRequest(query)
    )
    return answers.compactMap(\.document)
  }

  /// Commits all writes or none.
  ///
  /// If the response is lost, the commit is sent again, so it may be applied twice. Therefore
  /// writes that aren't idempotent need a precondition.
  @discardableResult
  package func commit(_ writes: [Write]) async throws(StatusError) -> CommitResponse {
    let response: CommitResponse = try await post(
      "\(endpoint.database.documents):commit",
      CommitRequest(writes: writes),
      retry: HTTPRetryPolicy(statuses: [429, 503])
    )
    onCommit(writes)
    return response
  }

  // MARK: Requests

  /// Sends a request to a streaming method, whose REST response is an array. If the method fails
  /// after the first element, the array's last element is the error, because the HTTP status was
  /// already sent.
  private func stream<Response: Decodable>(
    _ resource: String,
    _ message: some Encodable
  ) async throws(StatusError) -> [Response] {
    do throws(StatusError) {
      let elements: [StreamElement<Response>] =
        try await post(resource, message, retry: HTTPRetryPolicy())
      var answers: [Response] = []
      for element in elements {
        switch element {
        case .answer(let answer): answers.append(answer)
        case .failure(let body): throw failure(body, status: 500, retryAfter: nil)
        }
      }
      return answers
    } catch {
      switch error.code {
      // NOT_FOUND means that the database doesn't exist. A document that doesn't exist isn't an
      // error.
      case .notFound:
        let variables = "(check GOOGLE_CLOUD_PROJECT and FIRESTORE_DATABASE)"
        throw .configuration(.notFound, "\(error.message) \(variables)")
      // An index is missing or not built yet.
      case .failedPrecondition: throw .configuration(.failedPrecondition, error.message)
      default: throw error
      }
    }
  }

  private func post<Request: Encodable, Response: Decodable>(
    _ resource: String,
    _ message: Request,
    retry: HTTPRetryPolicy
  ) async throws(StatusError) -> Response {
    guard let body = try? JSON.encode(message) else {
      throw StatusError(.internal, "a Firestore request can't be encoded")
    }
    let response: HTTPResponse
    switch endpoint.authorization {
    case .owner: response = try await send(body, to: resource, as: "Bearer owner", retry: retry)
    case .accessToken(let source):
      response = try await source.authorized(deadline: deadline) { token throws(StatusError) in
        try await send(body, to: resource, as: token.authorization, retry: retry)
      }
    }
    guard response.status == 200 else { throw failure(response) }
    do throws(StatusError) {
      return try JSON.decode(Response.self, from: response.body, what: "Firestore's response")
    } catch {
      throw StatusError(.unavailable, error.message)
    }
  }

  private func send(
    _ body: Data,
    to resource: String,
    as authorization: String,
    retry: HTTPRetryPolicy
  ) async throws(StatusError) -> HTTPResponse {
    var headers = [HTTPHeader("Content-Type", "application/json")]
    if let traceparent { headers.append(HTTPHeader("traceparent", traceparent)) }
    headers.append(HTTPHeader("Authorization", authorization))
    let request = HTTPRequest(
      method: "POST",
      url: url(of: resource),
      headers: headers,
      body: body,
      // An emulator may run in a container, whose address isn't loopback. Plain HTTP is allowed
      // because the request contains no secret.
      allowsPlaintext: endpoint.isEmulator
    )
    do throws(StatusError) {
      return try await transport.send(request, deadline: deadline, retry: retry).response
    } catch {
      throw explained(error)
    }
  }

  /// Returns the URL of a resource. Each segment is percent-encoded, because an ID may contain any
  /// character but a slash. A verb at the end, such as `:commit`, isn't encoded.
  private func url(of resource: String) -> String {
    let (name, verb) =
      resource.lastIndex(of: ":").map { (resource[..<$0], resource[$0...]) } ?? (resource[...], "")
    let path = String(name).splitAtSlashes.map(PercentEncoding.encode).joined(separator: "/")
    return "\(endpoint.baseURL)/v1/\(path)\(verb)"
  }

  private func explained(_ error: StatusError) -> StatusError {
    guard endpoint.isEmulator, error.code == .unavailable else { return error }
    var error = error
    error.message += "; is the emulator of FIRESTORE_EMULATOR_HOST running?"
    return error
  }

  /// Returns the error that a response contains. The response of a streaming method has it in an
  /// array.
  private func failure(_ response: HTTPResponse) -> StatusError {
    let what = "Firestore's response"
    let body =
      (try? JSON.decode(ErrorResponse.self, from: response.body, what: what))
      ?? (try? JSON.decode([ErrorResponse].self, from: response.body, what: what))?.first
    return failure(body?.error, status: response.status, retryAfter: response.retryAfter)
  }

  private func failure(
    _ body: ErrorResponse.Body?,
    status: Int,
    retryAfter: Duration?
  ) -> StatusError {
    let code =
      body?.status.flatMap(StatusCode.init(rawValue:))
      ?? StatusCode(httpStatus: body?.code ?? status)
    let message = "Firestore: \(body?.message ?? "HTTP \(status)")"
    return switch code {
    // The functions use their own credentials, so a refusal is a configuration error.
    case .unauthenticated, .permissionDenied: .configuration(code, message)
    default:
      StatusError(code, message, retryAfter: retryAfter, isOthersWords: true)
    }
  }
}

/// An element of a streaming method's response.
private enum StreamElement<Response: Decodable>: Decodable {
  case answer(Response)
  case failure(ErrorResponse.Body)

  private enum CodingKeys: CodingKey { case error }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self =
      if container.contains(.error) {
        .failure(try container.decode(ErrorResponse.Body.self, forKey: .error))
      } else {
        .answer(try Response(from: decoder))
      }
  }
}
