import Core
import FirestoreAPI
import FunctionRuntime
import GRPC
import HTTPService
import Recording
import Services
import Store

extension EmulatedService {
  /// The emulated Firestore, over REST and gRPC.
  static let firestore = EmulatedService(
    name: .firestore,
    title: "Firestore",
    scheme: "",
    defaultPort: 8080,
    waitsUntilPrepared: true,
    portOption: \.services.firestorePort,
    hostVariable: "FIRESTORE_EMULATOR_HOST",
    hasRealService: true,
    make: { $0.firestoreProtocols() }
  )
}

extension EmulatorComponents {
  /// Makes the Firestore service of one port.
  ///
  /// - Parameter function: The function that the port belongs to, or `nil` for the port of all
  ///   clients.
  func firestore(of function: String? = nil) -> FirestoreService {
    FirestoreService(
      project: configuration.project,
      accounts: accounts,
      store: store,
      rules: rules,
      newID: sources.newID,
      function: function,
      warn: warnings.log
    )
  }

  /// Makes the servers of one port: Firestore over REST and gRPC.
  ///
  /// - Parameter function: The function that the port belongs to, or `nil` for the port of all
  ///   clients.
  func firestoreProtocols(of function: String? = nil) -> EmulatedService.Protocols {
    let firestore = firestore(of: function)
    let triggers = TriggerRegistry(
      dispatcher: dispatcher,
      functionsEmulator: configuration.functionsEmulator?.description,
      transport: transport
    )
    let rest = FirestoreREST(firestore, transfer: transfer, triggers: triggers) {
      // `POST /shutdown` has the same effect as SIGTERM from another process.
      kill(getpid(), SIGTERM)
    }
    let requestGuard = requestGuard
    return EmulatedService.Protocols(
      http: observed(rest),
      http2: RPCServer(FirestoreGRPC(firestore)) { requestGuard.admits(host: $0) }
    )
  }

  /// Wraps a service in the middleware that records functions' requests and injects crashes.
  func observed(_ service: any HTTPService) -> any HTTPService {
    RecordingMiddleware(
      CrashInjection(service, dispatcher: dispatcher),
      recorder: recorder,
      document: { [store] in store.document($0) }
    )
  }
}
