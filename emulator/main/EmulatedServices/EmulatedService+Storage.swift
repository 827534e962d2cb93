import CloudStorage
import FunctionRuntime
import Services

extension EmulatedService {
  /// The emulated Cloud Storage.
  static let storage = EmulatedService(
    name: .storage,
    title: "Storage",
    defaultPort: 9199,
    fallsBackToFreePort: true,
    waitsUntilPrepared: true,
    portOption: \.services.storagePort,
    hostVariable: "FIREBASE_STORAGE_EMULATOR_HOST",
    // Google's clients want a scheme, and Firebase's want none.
    otherVariables: { ["STORAGE_EMULATOR_HOST": "http://\($0)"] },
    make: { $0.storageProtocols() }
  )
}

extension EmulatorComponents {
  /// Makes the server of one port of Cloud Storage.
  ///
  /// - Parameter function: The function that the port belongs to, or `nil` for the port of all
  ///   clients.
  func storageProtocols(of function: String? = nil) -> EmulatedService.Protocols {
    EmulatedService.Protocols(
      http: observed(
        StorageService(
          store: objects,
          rules: storageRules,
          accounts: accounts,
          documents: store,
          signingKeys: signingKeys,
          function: function
        )
      )
    )
  }
}
