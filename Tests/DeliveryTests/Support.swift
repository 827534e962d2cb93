import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Logging
import Synchronization
import TestKit
import Testing

/// The line that a successful script prints.
let contentLine = #"{"status":"ok","exitCode":0}"#

/// Returns a shell script that implements a function.
///
/// - Parameters:
///   - members: additional fields of the manifest, each followed by a comma.
///   - body: the shell commands for an event.
func script(_ name: String = "probe", _ members: String = "", _ body: String) -> String {
  #"""
  #!/bin/sh
  if [ "$1" = --describe ]; then
    echo '{"contract":1,"name":"\#(name)",\#(members)"triggers":[
      {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
    exit
  fi
  \#(body)
  """#
}

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Runs `body` with a dispatcher that has these scripts as functions.
///
/// - Parameter scripts: the content of each script by file name.
func withDispatcher(
  _ scripts: [String: String],
  _ installation: Installation = .init(),
  isolation: Isolation = .worker,
  retryPolicy: DeliveryRetryPolicy = .once,
  clock: RetryClock = RetryClock(),
  sources: FunctionContext.Sources = .system,
  chaos: Chaos? = nil,
  maximumKept: Int = 10_000,
  prepare: (Dispatcher) throws -> Void = { _ in },
  _ body: (Dispatcher) async throws -> Void
) async throws {
  try await withTemporaryFolder { folder in
    let (catalog, _) = try await discover(scripts, in: folder)
    let dispatcher = Dispatcher(
      isolation: isolation,
      retryPolicy: retryPolicy,
      clock: clock,
      chaos: chaos,
      sources: sources,
      maximumKept: maximumKept,
      logger: silent
    )
    try prepare(dispatcher)
    dispatcher.install(catalog, installation)
    async let running: Void = dispatcher.run()
    do {
      try await body(dispatcher)
    } catch {
      dispatcher.finish()
      await running
      throw error
    }
    dispatcher.finish()
    await running
  }
}

extension DeliveryRetryPolicy {
  /// A policy without retries, for tests of a single attempt.
  static let once = DeliveryRetryPolicy(
    firstDelay: .zero,
    maximumDelay: .zero,
    maximumAttempts: 1,
    window: nil,
    hasJitter: false
  )
}

/// Writes scripts into a folder and discovers its functions.
///
/// - Returns: the catalog, and a line for each log entry at warning level or above.
func discover(
  _ scripts: [String: String],
  in folder: String,
  excluding excluded: Set<String> = []
) async throws -> (catalog: FunctionCatalog, warnings: [String]) {
  for (name, script) in scripts {
    try await makeFile("\(folder)/\(name)", script, isExecutable: true)
  }
  let lines = Lines()
  let catalog = try await FunctionCatalog.discover(
    in: FunctionFolders([folder], environment: plainEnvironment, excluding: excluded),
    logger: Logger(label: "test") { _ in Recorder(lines: lines) }
  )
  return (catalog, lines.all.withLock(\.self))
}

/// Returns the event of the creation of an empty note.
func creation(
  of id: String = "n1",
  authContext: AuthContext? = nil
) throws -> ChangeEvent {
  let name = try DocumentName(
    database: DatabaseName(project: "demo-p"),
    path: ResourcePath("notes/\(id)")
  )
  let time = Timestamp(seconds: 1)
  return .document(
    DocumentEvent(
      id: "event-\(id)",
      type: EventType(.created, hasAuthContext: authContext != nil),
      document: name,
      time: time,
      value: Document(name: name, fields: [:], createTime: time, updateTime: time),
      oldValue: nil,
      authContext: authContext
    )
  )
}

extension Dispatcher {
  /// Delivers an event that triggers one function, and returns the delivery when it has ended.
  func delivered(_ event: ChangeEvent) async throws -> Delivery {
    let ids = try await enqueue(event)
    await ended(ids)
    let id = try #require(ids.first)
    return try #require(delivery(id))
  }
}

private final class Lines: Sendable {
  let all = Mutex<[String]>([])
}

private struct Recorder: LogHandler {
  let lines: Lines
  var logLevel = Logger.Level.warning
  var metadata = Logger.Metadata()

  init(lines: Lines) { self.lines = lines }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }
    lines.all.withLock { $0.append("\(event.message) \(details.joined(separator: " "))") }
  }
}
