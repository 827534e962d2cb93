package import Core
package import Delivery
import FunctionHost
import FunctionRuntime
package import HTTPClient

/// Google's Firestore emulator, whose documents trigger this emulator's functions.
package struct GoogleEmulator: Sendable {
  private struct Registration: Encodable {
    struct Document: Encodable {
      var value: String
      var matchType = "PATH_PATTERN"
    }

    var eventType: EventType
    var database: String
    var namespace = "(default)"
    var document: Document
  }

  private static let timeout = Duration.seconds(10)

  private let address: Addresses.Address
  private let transport: HTTPClient

  package init(_ address: Addresses.Address, transport: HTTPClient) {
    self.address = address
    self.transport = transport
  }

  /// Registers every trigger on documents with Google's emulator.
  ///
  /// Google's emulator posts the events to the address in its option `--functions_emulator`, and
  /// keeps the registrations until it ends.
  ///
  /// - Parameter functions: The address of this emulator's functions, for the error message.
  /// - Throws: `FAILED_PRECONDITION` if Google's emulator isn't running or refuses a trigger. The
  ///   message names the trigger.
  package func register(
    _ catalog: FunctionCatalog,
    project: String,
    functions: Addresses.Address
  ) async throws(StatusError) {
    for function in catalog.functions.values.sorted(by: { $0.name < $1.name }) {
      for (index, trigger) in function.manifest.triggers.enumerated()
      where trigger.eventType.subject == .document {
        let key = AttachedTrigger(function: function.name, index: index).description
        do throws(StatusError) {
          try await register(trigger, key: key, project: project)
        } catch {
          throw StatusError(
            .failedPrecondition,
            "Firestore's emulator at \(address) didn't take the trigger \(key): "
              + "\(error.message); start it with --functions_emulator=\(functions)"
          )
        }
      }
    }
  }

  private func register(
    _ trigger: FunctionManifest.Trigger,
    key: String,
    project: String
  ) async throws(StatusError) {
    let registration = Registration(
      eventType: trigger.eventType,
      database: trigger.database ?? "(default)",
      document: .init(value: trigger.path)
    )
    guard let body = try? JSON.encode(registration) else {
      throw StatusError(.internal, "the trigger can't be encoded as JSON")
    }
    let query = PercentEncoding.query([("eventarcTriggerId", key)])
    let response = try await transport.send(
      HTTPRequest(
        method: "POST",
        url: "http://\(address)/emulator/v1/projects/\(project)/eventarcTrigger?\(query)",
        headers: [
          HTTPHeader("Content-Type", "application/json"),
          HTTPHeader("Authorization", "Bearer owner"),
        ],
        body: body,
        maximumResponseBytes: 1 << 20
      ),
      deadline: .now + Self.timeout
    )
    guard (200..<300).contains(response.status) else {
      throw StatusError(.failedPrecondition, "it answered \(response.status)")
    }
  }
}
