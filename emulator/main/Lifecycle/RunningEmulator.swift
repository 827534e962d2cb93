import Authentication
import Delivery
import ProviderFakes
import Services
import Store

/// An emulator whose services all accept connections.
struct RunningEmulator: Sendable {
  var configuration: EmulatorConfiguration
  var addresses: Addresses
  /// The environment variables of `exec`'s command.
  var environment: [String: String]
  var store: Store
  var accounts: AccountStore
  var dispatcher: Dispatcher
  var fakes: ProviderFakes
  var locator: HubLocator?
  /// The functions, or `nil` if none are started.
  var functions: FunctionInstallation?
  /// The lines about the deliveries of a seed file and those after them, or `nil` if there is no
  /// seed file, or no such lines.
  var seedOutput: DeliveryOutput?
}
