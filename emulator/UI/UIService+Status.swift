import Core
import Delivery
import FunctionHost
import HTTPService
import Services

extension UIService {
  /// What the pages, and a person, have to know of this emulator.
  private struct Status: Encodable {
    var project: String
    /// Another one for each run of the emulator.
    var instance: String
    var started: String
    /// By their names; the hosts are those that clients on this machine use.
    var services: [String: Addresses.Address]
    /// Who plays the providers, in words.
    var engines: String
    /// Providers that are real, in words.
    var realProviders: [String]
    /// How functions are run: `worker` or `process`.
    var isolation: String
    /// Where documents are kept; nil if they end with the emulator.
    var dataFolder: String?
    var switches: Switches
    /// Deliveries that haven't ended, and those given up since the start and not retried.
    var unfinishedDeliveries: Int
    var deadLetters: Int
    /// What an app on this machine sets to talk to this emulator, a line each.
    var environment: [String]
  }

  /// What isn't as it was when everything goes right.
  private struct Switches: Encodable {
    /// Whether changes fire anything.
    var triggers: Bool
    /// Whether deliveries are held back, all of them or those of some functions.
    var paused: Bool
    var pausedFunctions: [String]
    var chaos: String?
  }

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
