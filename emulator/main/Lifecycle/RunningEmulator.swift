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
}
