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
    otherVariables: { address in
      [
        // Google's clients want a scheme, and Firebase's want none.
        "STORAGE_EMULATOR_HOST": "http://\(address)",
        // gcloud reads these, and sends no credentials.
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": "http://\(address)/storage/v1/",
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
      ]
    },
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
