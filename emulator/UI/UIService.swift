package import CloudStorage
package import Core
package import Delivery
package import FirestoreAPI
package import FirestoreModel
package import FunctionHost
import FunctionRuntime
package import HTTPService
package import Persistence
package import Providers
package import RealtimeDatabase
package import Recording
package import Services
package import Store

/// The HTTP service of the browser pages and their API.
///
/// - `GET /api/events`: the deliveries, the newest last; `?state=deadLettered`, `?function=`,
///   `?limit=100`
/// - `GET /api/invocations`: the deliveries and calls, the newest first; `?state=`, `?function=`,
///   `?document=` part of the path, `?text=` anywhere, `?limit=`, `?before=` the id of the last one
///   on the previous page
/// - `GET /api/trace/{id}`: the causes and effects of an event, a delivery or a call; see `Trace`
/// - `GET /api/trace?document=`: the same of the document's newest creation
/// - `GET /api/events/{id}`: the deliveries of an event, or a call, with their functions' logs
/// - `POST /api/events/{id}/retry`: retries a dead letter, or all dead letters of an event
/// - `POST /api/events/{delivery}/replay`: delivers the event to the function again
/// - `GET /api/events/{id}/fixture`: a delivery or call as a fixture for `emulator replay`
/// - `GET` and `PUT /api/recording` `{"on":true}`: the recording of invocations for fixtures
/// - `GET /api/functions`: the manifests
/// - `GET /api/functions/status`: the functions' load and statistics by name; see `FunctionStatus`
/// - `PUT /api/functions/{name}` `{"paused":true}`: pauses the deliveries of a function
/// - `POST /api/functions/{name}/test`: runs a function once on the event or call in the body
/// - `GET /api/logs`: the functions' logs, the newest last; `?eventId=`, `?document=`, `?function=`,
///   `?severity=`, `?text=`, `?limit=`, `?after=` the number of an entry
/// - `GET /api/quiet`: responds when every delivery has ended, or after `?timeoutSeconds=`
/// - `GET /api/why?document=&field=`: explains who wrote a document or field, or why it doesn't
///   exist; `?ref=&instance=` does the same of a node, and `?object=&bucket=` of an object
/// - `GET` and `PUT /api/triggers` `{"paused":true}`: pauses all deliveries
/// - `GET` and `PUT /api/chaos` `{"spec":"seed=7,duplicate=0.2"}`, or null: the faults to inject
/// - `GET /api/rules`: the security rules in force, and why a changed file isn't used
/// - `GET /api/rules/coverage`: what no request has decided; `?project=`
/// - `GET /api/requests`: the clients' requests that the rules have decided on; see `RequestsReport`
/// - `GET /api/requests/{number}`: a request, with the values of the rules' expressions
/// - `POST /api/requests/{number}/replay`: decides on the request again, as the user of the
///   `Authorization` header
/// - `GET /api/status`: the services, their addresses, and the providers' engines
/// - `GET /api/phrases`: a few texts that the translation fakes can translate, by language
/// - `GET /api/stream`: the emulator's activity as server-sent events; see `ActivityStream`
/// - `GET /api/databases`: the Realtime Databases, and who listens to them, and their rules
/// - `GET /api/storage`: the buckets of Cloud Storage, and their rules
/// - `GET /api/export`: the documents of `?database=`, as a file of lines
/// - `POST /api/import`: writes such lines over existing documents; `?triggers=true` fires triggers
/// - `POST /api/demo`: writes the data of `--seed demo`
/// - `GET /metrics`: the metrics for Prometheus
/// - any other `GET` of a browser: the pages
package struct UIService: HTTPService {
  /// The facts about the emulator that the pages show.
  package struct About: Sendable {
    var project: String
    var started: Timestamp
    var engines: String
    /// A few texts that the translation fakes can translate, by language.
    var phrases: [String: [String]]
    var realProviders: [String]
    var isolation: Isolation
    var dataFolder: String?
    var prices: PriceTable?
    var hostVariables: [(service: ServiceName, name: String)]

    /// Creates the facts.
    ///
    /// - Parameters:
    ///   - engines: A text that names the engines of the fakes.
    ///   - phrases: A few texts that the fakes can translate, by language.
    ///   - realProviders: A line of text about each provider that isn't a fake.
    ///   - prices: The prices of providers' responses, or `nil` if they are unknown.
    ///   - hostVariables: The environment variables by which apps find services.
    package init(
      project: String,
      started: Timestamp,
      engines: String,
      phrases: [String: [String]] = [:],
      realProviders: [String] = [],
      isolation: Isolation,
      dataFolder: String? = nil,
      prices: PriceTable?,
      hostVariables: [(service: ServiceName, name: String)]
    ) {
      self.project = project
      self.started = started
      self.engines = engines
      self.phrases = phrases
      self.realProviders = realProviders
      self.isolation = isolation
      self.dataFolder = dataFolder
      self.prices = prices
      self.hostVariables = hostVariables
    }
  }

  package let name = "ui"
  let dispatcher: Dispatcher
  let about: About
  let rules: RulesStatus
  let pages: PageFiles
  let streams: ActivityStreams
  let newID: @Sendable () -> String
  let addresses: @Sendable () -> Addresses
  let recorder: InvocationRecorder
  let makeFixture: MakeFixture
  private let writeDemo: WriteDemo
  let store: Store
  let transfer: DataTransfer
  let firestore: FirestoreService
  let databases: DatabaseStore
  let databaseRules: RulesFilesStatus
  let objects: ObjectStore
  let storageRules: StorageRules
  let storageRulesStatus: RulesFilesStatus

  /// A closure that makes a fixture of a recording.
  package typealias MakeFixture =
    @Sendable (_ recording: ReplayFixture) async throws(StatusError) -> ReplayFixture

  /// A closure that writes the demo's data.
  package typealias WriteDemo = @Sendable () async throws(StatusError) -> Void

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - recorder: The recorder of invocations, from which fixtures are made.
  ///   - addresses: Returns the addresses of all services that accept connections.
  package init(
    dispatcher: Dispatcher,
    store: Store,
    transfer: DataTransfer,
    firestore: FirestoreService,
    databases: DatabaseStore,
    databaseRules: RulesFilesStatus,
    objects: ObjectStore,
    storageRules: StorageRules,
    storageRulesStatus: RulesFilesStatus,
    about: About,
    rules: RulesStatus,
    pages: PageFiles = .embedded,
    recorder: InvocationRecorder,
    makeFixture: @escaping MakeFixture,
    writeDemo: @escaping WriteDemo,
    newID: @escaping @Sendable () -> String,
    addresses: @escaping @Sendable () -> Addresses
  ) {
    self.dispatcher = dispatcher
    self.store = store
    self.transfer = transfer
    self.firestore = firestore
    self.databases = databases
    self.databaseRules = databaseRules
    self.objects = objects
    self.storageRules = storageRules
    self.storageRulesStatus = storageRulesStatus
    self.about = about
    self.rules = rules
    self.pages = pages
    self.newID = newID
    self.addresses = addresses
    self.recorder = recorder
    self.makeFixture = makeFixture
    self.writeDemo = writeDemo
    streams = ActivityStreams(feed: dispatcher.feed, newID: newID)
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let path = request.path
    if request.method == "GET", path == ["metrics"] { return metrics }
    guard path.first == "api" else { return try page(request) }
    guard (2...4).contains(path.count) else { throw notFound(request) }
    // The path is `/api/<resource>[/<id>[/<action>]]`.
    let id = path.count > 2 ? path[2] : nil
    let action = path.count > 3 ? path[3] : nil
    switch (request.method, path[1], id, action) {
    case ("GET", "events", nil, nil): return try events(request)
    case ("GET", "events", let id?, nil): return try event(id)
    case ("POST", "events", let id?, "retry"): return try retry(id)
    case ("POST", "events", let id?, "replay"): return try await replay(id)
    case ("GET", "events", let id?, "fixture"): return try await fixture(id)
    case ("GET", "invocations", nil, nil): return try invocations(request)
    case ("GET", "trace", nil, nil): return try traceOfDocument(request)
    case ("GET", "trace", let id?, nil): return try trace(id)
    case ("GET", "recording", nil, nil): return recording
    case ("PUT", "recording", nil, nil): return try setRecording(request)
    case ("GET", "functions", nil, nil): return manifests
    case ("GET", "functions", "status", nil): return functionStatus
    case ("PUT", "functions", let name?, nil): return try setFunction(name, request)
    case ("POST", "functions", let name?, "test"): return try await test(name, request)
    case ("GET", "logs", nil, nil): return try logs(request)
    case ("GET", "quiet", nil, nil): return try await quiet(request)
    case ("GET", "why", nil, nil): return try why(request)
    case ("GET", "triggers", nil, nil): return triggers
    case ("PUT", "triggers", nil, nil): return try setTriggers(request)
    case ("GET", "chaos", nil, nil): return chaos
    case ("PUT", "chaos", nil, nil): return try setChaos(request)
    case ("GET", "databases", nil, nil): return databaseReport
    case ("GET", "storage", nil, nil): return storageReport
    case ("GET", "export", nil, nil): return try exportLines(request)
    case ("POST", "import", nil, nil): return try await importLines(request)
    case ("POST", "demo", nil, nil):
      try await writeDemo()
      return .json(["written": true])
    case ("GET", "rules", nil, nil): return .json(rules.report)
    case ("GET", "rules", "coverage", nil): return try coverage(request)
    case ("GET", "requests", nil, nil): return try requests(request)
    case ("GET", "requests", let number?, nil): return try decidedRequest(number)
    case ("POST", "requests", let number?, "replay"): return try replay(number, request)
    case ("GET", "status", nil, nil): return status
    case ("GET", "phrases", nil, nil): return .json(about.phrases)
    case ("GET", "stream", nil, nil): return try openStream()
    case ("PUT", "stream", let id?, "topics"): return try setTopics(id, request)
    default: throw notFound(request)
    }
  }

  /// Decodes a request's body.
  ///
  /// - Parameter names: The names of all known fields.
  /// - Throws: `INVALID_ARGUMENT` for an unknown field, since its name is probably misspelled.
  func members<Value: Decodable>(
    of request: ServiceRequest,
    _ names: Set<String>,
    _ type: Value.Type
  ) throws(StatusError) -> Value {
    let value = try request.json(type)
    if let other = try JSONValue(parsing: request.body).object?.unknownName(besides: names) {
      throw StatusError(
        .invalidArgument,
        "there is no field \(quoted(other)): use \(names.sorted().joined(separator: ", "))"
      )
    }
    return value
  }

  // MARK: Metrics and manifests

  private var metrics: ServiceResponse {
    ServiceResponse(
      headers: [("content-type", PrometheusText.contentType)],
      body: Data(dispatcher.prometheusText.utf8)
    )
  }

  private var manifests: ServiceResponse {
    .json(dispatcher.catalog.functions.values.map(\.manifest).sorted { $0.name < $1.name })
  }

  // MARK: Switches

  private struct ChaosSwitch: Codable {
    var spec: String?
  }

  private struct Triggers: Codable {
    var paused: Bool
  }

  private var triggers: ServiceResponse { .json(Triggers(paused: dispatcher.isPaused)) }

  private func setTriggers(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    dispatcher.isPaused = try members(of: request, ["paused"], Triggers.self).paused
    return triggers
  }

  private var chaos: ServiceResponse {
    .json(ChaosSwitch(spec: dispatcher.chaos?.description))
  }

  private func setChaos(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let spec = try members(of: request, ["spec"], ChaosSwitch.self).spec
    dispatcher.chaos = try spec.map { text throws(StatusError) in try Chaos(text) }
    return chaos
  }

  // MARK: Quiet

  private func quiet(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let text = request[query: "timeoutSeconds"] else {
      await dispatcher.quiet()
      return .json(["quiet": true])
    }
    guard let seconds = Double(text), (0...86_400).contains(seconds) else {
      throw StatusError(.invalidArgument, "timeoutSeconds must be a number from 0 to 86400")
    }
    let isQuiet = await withTaskGroup(of: Bool.self) { group in
      group.addTask { [dispatcher] in
        await dispatcher.quiet()
        return !Task.isCancelled
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(seconds))
        return false
      }
      let first = await group.next() ?? false
      group.cancelAll()
      return first
    }
    return .json(["quiet": isQuiet])
  }

  // MARK: Explanations

  private func why(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    if let ref = request[query: "ref"] { return try why(ref: ref, request) }
    if let object = request[query: "object"] { return why(object: object, request) }
    guard let path = request[query: "document"] else {
      throw StatusError(
        .invalidArgument,
        "the query has no document, ref or object: add document=PATH, the path below documents/"
      )
    }
    let name = try DocumentName(
      database: DatabaseName(
        project: request[query: "project"] ?? about.project,
        database: request[query: "database"] ?? "(default)"
      ),
      path: ResourcePath(path)
    )
    var field: FieldPath?
    if let text = request[query: "field"] { field = try FieldPath(parsing: text) }
    let parent = try? DocumentName(database: name.database, path: name.path.parent.parent)
    return .json(
      dispatcher.explain(
        name,
        field,
        document: store.document(name),
        missingParent: parent.flatMap { store.document($0) == nil ? $0 : nil }
      )
    )
  }

  private func why(object name: String, _ request: ServiceRequest) -> ServiceResponse {
    let bucket = request[query: "bucket"] ?? ObjectEvent.defaultBucket(of: about.project)
    return .json(
      dispatcher.explain(object: name, in: bucket, exists: objects.exists(name, in: bucket))
    )
  }

  private func why(
    ref: String,
    _ request: ServiceRequest
  ) throws(StatusError) -> ServiceResponse {
    let path = try TreePath(ref)
    let instance = request[query: "instance"] ?? ReferenceEvent.defaultInstance(of: about.project)
    return .json(
      dispatcher.explain(
        ref: path.description,
        in: instance,
        exists: databases.exists(path, in: instance)
      )
    )
  }
}
