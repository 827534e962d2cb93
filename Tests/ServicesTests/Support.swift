import CloudEvents
import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import HTTPClient
import HTTPService
import Logging
import ProviderFakes
import Services
import TestKit

/// A dispatcher without a store, and the services that use it.
struct Functions: Sendable {
  var dispatcher: Dispatcher
  var transport: HTTPClient

  var service: FunctionsService { service(of: "demo-p") }

  /// Returns the service for calls by a project's users.
  func service(of project: String) -> FunctionsService {
    FunctionsService(
      project: project,
      dispatcher: dispatcher,
      fakes: ProviderFakes(
        translationKey: "k",
        openAIKey: "k",
        anthropicKey: "k",
        now: { 0 },
        newID: { "id" }
      )
    )
  }

  /// Returns the service at which a functions emulator registers its triggers.
  ///
  /// - Parameter functionsEmulator: the functions emulator's address.
  func registry(of functionsEmulator: String?) -> TriggerRegistry {
    TriggerRegistry(
      dispatcher: dispatcher,
      functionsEmulator: functionsEmulator,
      transport: transport
    )
  }
}

/// Runs `body` with a dispatcher whose only function is a script.
///
/// - Parameters:
///   - manifest: the function's manifest, as JSON.
///   - line: the shell command that the function runs for an event.
func withFunctions(
  _ manifest: String = #"{"contract":1,"name":"probe"}"#,
  _ line: String = #"echo '{"status":"ok"}'"#,
  _ body: (Functions) async throws -> Void
) async throws {
  try await withTemporaryFolder { folder in
    let script = """
      #!/bin/sh
      if [ "$1" = --describe ]; then
        echo '\(manifest)'
        exit
      fi
      \(line)
      """
    try await makeFile("\(folder)/probe", script, isExecutable: true)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let dispatcher = Dispatcher(isolation: .process, logger: logger)
    dispatcher.install(
      try await .discover(
        in: FunctionFolders([folder], environment: plainEnvironment),
        logger: logger
      )
    )
    let transport = HTTPClient.forTests()
    async let running: Void = dispatcher.run()
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(Functions(dispatcher: dispatcher, transport: transport)))
    } catch {
      result = .failure(error)
    }
    dispatcher.finish()
    await running
    await transport.shutDown()
    try result.get()
  }
}

/// Returns the event of a change of a note.
func change(
  _ kind: EventType.Kind,
  of path: String = "notes/n1",
  in database: DatabaseName = DatabaseName(project: "demo-p"),
  value: Fields = ["text": "after"],
  oldValue: Fields = ["text": "before"]
) throws -> ChangeEvent {
  let name = try DocumentName(database: database, path: ResourcePath(path))
  func document(_ fields: Fields) -> Document {
    Document(
      name: name,
      fields: fields,
      createTime: Timestamp(seconds: 1),
      updateTime: Timestamp(seconds: 2, nanoseconds: 500_000_000)
    )
  }
  return .document(
    DocumentEvent(
      id: "event",
      type: EventType(kind),
      document: name,
      time: Timestamp(seconds: 9),
      value: kind == .deleted ? nil : document(value),
      oldValue: kind == .created ? nil : document(oldValue)
    )
  )
}

extension EventMessage {
  /// Returns a request that sends the event to this path.
  func request(to path: [String]) -> ServiceRequest {
    ServiceRequest(
      method: "POST",
      path: path,
      headers: Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in first },
      body: body
    )
  }
}
