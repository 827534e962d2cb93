import Core
import FirestoreAPI
import FunctionRuntime
import GRPC
import HTTPService
import Recording
import Services
import Store

extension EmulatedService {
  static let firestore = EmulatedService(
    name: .firestore,
    title: "Firestore",
    scheme: "",
    defaultPort: 8080,
    waitsUntilPrepared: true,
    portOption: \.firestorePort,
    hostVariable: "FIRESTORE_EMULATOR_HOST",
    hasRealService: true,
    make: { $0.firestoreProtocols() }
  )
}

extension EmulatorComponents {
  /// - Parameter function: the function whose own port it is; nil for everybody's.
  func firestore(of function: String? = nil) -> FirestoreService {
    FirestoreService(
      project: configuration.project,
      store: store,
      newID: sources.newID,
      function: function
    )
  }

  /// Firestore over REST and gRPC.
  ///
  /// - Parameter function: the function whose own port it is; nil for everybody's.
  func firestoreProtocols(of function: String? = nil) -> EmulatedService.Protocols {
    let firestore = firestore(of: function)
    let triggers = TriggerRegistry(
      dispatcher: dispatcher,
      functionsEmulator: configuration.functionsEmulator?.description,
      transport: transport
    )
    let rest = FirestoreHTTP(firestore, transfer: transfer, triggers: triggers) {
      // Ends like a signal from outside does.
      kill(getpid(), SIGTERM)
    }
    let requestGuard = requestGuard
    return EmulatedService.Protocols(
      http: observed(rest),
      http2: RPCServer(FirestoreRPC(firestore)) { requestGuard.isAllowed(host: $0) }
    )
  }

  /// A service in front of which requests of functions are recorded, and functions killed.
  func observed(_ service: any HTTPService) -> any HTTPService {
    RecordingMiddleware(
      CrashInjection(service, dispatcher: dispatcher),
      recorder: recorder,
      document: { [store] in store.document($0) }
    )
  }
}
