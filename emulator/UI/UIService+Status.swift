import Core
import Delivery
import FunctionHost
import HTTPService
import Services

extension UIService {
  /// The emulator's state and configuration.
  private struct Status: Encodable {
    var project: String
    /// The id of the emulator's run.
    var instance: String
    var started: String
    /// The addresses by service, with the hosts for clients on this machine.
    var services: [String: Addresses.Address]
    /// A text that names the engines of the fakes.
    var engines: String
    /// A line of text about each provider that isn't a fake.
    var realProviders: [String]
    /// The kind of functions' processes: `worker` or `process`.
    var isolation: String
    /// The folder that keeps the documents, or `nil` if they are only in memory.
    var dataFolder: String?
    var switches: Switches
    /// The number of deliveries that haven't ended.
    var unfinishedDeliveries: Int
    /// The number of deliveries that were given up since the start and not retried.
    var deadLetters: Int
    /// The environment variables with which an app on this machine uses this emulator, as
    /// `NAME=value`.
    var environment: [String]
  }

  /// The settings that change how deliveries run.
  private struct Switches: Encodable {
    /// A Boolean value that indicates whether changes fire triggers.
    var triggers: Bool
    /// A Boolean value that indicates whether all deliveries are paused.
    var paused: Bool
    /// The functions that are paused individually.
    var pausedFunctions: [String]
    var chaos: String?
  }

  /// The response with the emulator's status.
  var status: ServiceResponse {
    let addresses = addresses()
    var environment = ["GOOGLE_CLOUD_PROJECT=\(about.project)"]
    for (service, variable) in about.hostVariables {
      if let address = addresses[service] { environment.append("\(variable)=\(address.reachable)") }
    }
    return .json(
      Status(
        project: about.project,
        instance: streams.instance,
        started: "\(about.started)",
        services: addresses.all.mapValues(\.reachable),
        engines: about.engines,
        realProviders: about.realProviders,
        isolation: about.isolation.rawValue,
        dataFolder: about.dataFolder,
        switches: Switches(
          triggers: dispatcher.isEnabled,
          paused: dispatcher.isPaused,
          pausedFunctions: dispatcher.pausedFunctions.sorted(),
          chaos: dispatcher.chaos?.description
        ),
        unfinishedDeliveries: dispatcher.unfinishedCount,
        deadLetters: dispatcher.deadLetterCount,
        environment: environment
      )
    )
  }
}
