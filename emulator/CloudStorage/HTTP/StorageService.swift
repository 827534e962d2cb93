package import Authentication
package import Core
package import HTTPService
import Rules
package import Store

/// Cloud Storage over HTTP.
///
/// | path | API | who may use it |
/// |---|---|---|
/// | `/v0/b/…` | Firebase's SDKs | clients under the rules, and administrators |
/// | `/storage/v1/…`, `/upload/storage/v1/…`, `/download/storage/v1/…`, `/batch/storage/v1` | JSON API | administrators |
/// | `/BUCKET/OBJECT` | XML API: an object's content | administrators, and whoever has a signed URL |
/// | `/internal/…` | Firebase's emulator | administrators |
package struct StorageService: HTTPService {
  /// The maximum size of a JSON body in bytes.
  static let maximumJSONBytes = 1 << 20

  package let name = "storage"
  let store: ObjectStore
  let rules: StorageRules
  let callers: CallerReading
  let documents: FirestoreDocuments
  let signingKeys: SigningKeys
  let function: String?

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - documents: The store with the documents that rules read.
  ///   - function: The name of the function if the service is on that function's own port, or `nil`
  ///     if it is on the shared port.
  package init(
    store: ObjectStore,
    rules: StorageRules,
    accounts: AccountStore,
    documents: Store,
    signingKeys: SigningKeys,
    function: String? = nil
  ) {
    self.store = store
    self.rules = rules
    callers = CallerReading(project: store.project, accounts: accounts)
    self.documents = FirestoreDocuments(store: documents, project: store.project)
    self.signingKeys = signingKeys
    self.function = function
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  package func streamsBody(of head: RequestHead) -> Bool {
    guard ["POST", "PUT"].contains(head.method) else { return false }
    let withoutStream = ["/storage/v1/", "/b/", "/batch/", "/internal/"]
    return !withoutStream.contains { head.target.hasPrefix($0) }
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    await withTaskExecutorPreference(FileExecutor.shared) {
      var response: ServiceResponse
      do throws(StorageError) {
        response = try await route(request)
      } catch {
        response = error.response
        await drain(request.stream)
      }
      if request.headers["origin"] != nil {
        response.headers.append(("access-control-expose-headers", Self.exposedHeaders))
      }
      return response
    }
  }

  /// The number of bytes that are read before a refusal.
  private static let maximumDrainedBytes = 16 << 20

  /// Ignores the rest of a body that a refusal doesn't depend on. Many clients read a response only
  /// after they have sent the body, and lose it if the connection closes before.
  private func drain(_ body: RequestBody?) async {
    var count = 0
    while count < Self.maximumDrainedBytes, let piece = try? await body?.next() {
      count += piece.count
    }
  }

  /// The headers that the Web SDK reads.
  private static let exposedHeaders = [
    "content-range", "content-length", "content-type", "etag", "location", "range",
    "x-goog-generation", "x-goog-hash", "x-goog-metageneration", "x-goog-upload-chunk-granularity",
    "x-goog-upload-control-url", "x-goog-upload-size-received", "x-goog-upload-status",
    "x-goog-upload-url", "x-gupload-uploadid",
  ].joined(separator: ", ")

  /// Refuses what would otherwise be ignored.
  private static func checkIsEmulated(_ request: ServiceRequest) throws(StorageError) {
    if request.headers.keys.contains(where: { $0.hasPrefix("x-goog-encryption-") }) {
      throw .notEmulated("encryption keys of customers are")
    }
    for name in ["predefinedAcl", "predefinedDefaultObjectAcl", "destinationPredefinedAcl"]
    where request[query: name] != nil {
      throw .notEmulated("access control lists (\(name)) are")
    }
  }

  private func route(_ request: ServiceRequest) async throws(StorageError) -> ServiceResponse {
    try Self.checkIsEmulated(request)
    var path = request.path[...]
    switch path.first {
    case nil where request.method == "GET":
      return .text(
        "The emulated Cloud Storage. The page Storage of the emulator shows its objects.\n"
      )
    case "v0":
      return try await FirebaseAPI(service: self, request: request).respond(path.dropFirst())
    case "internal":
      return try await respond(toInternal: request)
    case "b" where path.count > 1: break
    case "batch":
      return try await Batch(service: self, request: request).respond()
    default:
      if ["upload", "download", "resumable"].contains(path.first) { path = path.dropFirst() }
      if path.first == "upload" { path = path.dropFirst() }
      guard path.prefix(2).elementsEqual(["storage", "v1"]) else {
        return try await XMLAPI(service: self, request: request).respond()
      }
      path = path.dropFirst(2)
    }
    return try await JSONAPI(service: self, request: request).respond(path)
  }

  /// Returns an administrator's rights and what a change of theirs is caused by.
  func administrator(_ request: ServiceRequest) -> StorageRequester {
    requester(.administrator, request)
  }

  func requester(_ caller: StorageCaller, _ request: ServiceRequest) -> StorageRequester {
    var cause = ObjectCause()
    cause.author = caller.author
    cause.traceparent = request.headers["traceparent"]
    cause.function = function
    return StorageRequester(
      rights: StorageRights(caller: caller, rules: rules, documents: documents),
      cause: cause
    )
  }

  // MARK: Firebase's emulator

  private func respond(
    toInternal request: ServiceRequest
  ) async throws(StorageError) -> ServiceResponse {
    do throws(StatusError) {
      try request.refuseOrigin(for: "the emulator's own routes")
    } catch {
      throw StorageError(error)
    }
    switch (request.method, request.path.dropFirst().first) {
    case ("PUT", "setRules"):
      try await setRules(request)
      return .json(["message": "Rules updated successfully"])
    case ("POST", "reset"):
      try await store.removeAllObjects()
      return .json([String: String]())
    default: throw StorageError(notFound(request))
    }
  }

  private func setRules(_ request: ServiceRequest) async throws(StorageError) {
    let body = try await request.json()
    let files = body["rules"]?["files"]?.array ?? []
    guard let content = files.first?["content"]?.string, files.count == 1 else {
      throw .invalid("rules.files must have one file with its content")
    }
    let file = RulesFile(name: files.first?["name"]?.string ?? "storage.rules", content: content)
    try StorageError.wrapping { () throws(StatusError) in try rules.set(file) }
  }
}

extension StorageError {
  /// The error in the format of Google's JSON APIs.
  var response: ServiceResponse {
    guard httpStatus != 304 else { return ServiceResponse(status: 304) }
    let entry: JSONObject = [
      "message": .string(message), "domain": .string("global"), "reason": .string(reason),
    ]
    return .json(
      JSONValue.object([
        "error": .object([
          "code": .integer(Int64(httpStatus)), "message": .string(message),
          "errors": .array([.object(entry)]),
        ])
      ]),
      status: httpStatus
    )
  }
}

extension ServiceRequest {
  /// The scheme, host and port at which the client has reached the service.
  var origin: String { "http://\(authority ?? "localhost")" }

  /// The body, which may still arrive.
  var bodyStream: RequestBody { stream ?? RequestBody(body) }

  /// Returns the members of the JSON body, or none if the body is empty.
  func json() async throws(StorageError) -> JSONObject {
    do throws(StatusError) {
      let data = try await bodyStream.collect(atMost: StorageService.maximumJSONBytes)
      guard !data.isEmpty else { return [:] }
      guard let object = try JSON.parse(data, what: "the request's body").object else {
        throw StatusError(.invalidArgument, "the request's body is not a JSON object")
      }
      return object
    } catch {
      throw StorageError(error)
    }
  }

  /// Returns the number in a query field, or `nil` if the query doesn't have it.
  func number(_ name: String) throws(StorageError) -> Int64? {
    guard let text = self[query: name] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw .invalid("\(name) is not a number from 0 to 9223372036854775807")
    }
    return number
  }

  /// Returns the number of bytes that a header announces, or `nil` without the header.
  func length(_ header: String) throws(StorageError) -> Int64? {
    guard let text = headers[header] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw .invalid("the header \(header) is not a number of bytes")
    }
    return number
  }

  /// Returns the conditions in the query.
  ///
  /// - Parameter prefix: The beginning of the names, such as `ifSource` for those of a copy's source.
  func conditions(_ prefix: String = "if") throws(StorageError) -> Conditions {
    var conditions = Conditions()
    for (name, condition) in Conditions.names {
      conditions[keyPath: condition] = try number(prefix + name.dropFirst(2))
    }
    return conditions
  }
}
