import HTTPService
import Server
import Triggers

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
    /// What an app on this machine sets to talk to this emulator, a line each.
    var environment: [String]
  }

  var status: ServiceResponse {
    let services = addresses().all.mapValues(\.reachable)
    var environment = ["GOOGLE_CLOUD_PROJECT=\(about.project)"]
    for (name, variable) in [
      ("firestore", "FIRESTORE_EMULATOR_HOST"), ("functions", "FUNCTIONS_EMULATOR_HOST"),
      ("hub", "FIREBASE_EMULATOR_HUB"),
    ] {
      if let address = services[name] { environment.append("\(variable)=\(address)") }
    }
    return .json(
      Status(
        project: about.project,
        instance: streams.instance,
        started: "\(about.started)",
        services: services,
        engines: about.engines,
        realProviders: about.realProviders,
        isolation: about.isolation.rawValue,
        dataFolder: about.dataFolder,
        environment: environment
      )
    )
  }
}
