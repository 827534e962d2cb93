import Delivery
import ServiceLifecycle

/// The service that delivers events until the emulator stops.
struct DispatcherService: Service {
  var dispatcher: Dispatcher

  func run() async throws {
    await withGracefulShutdownHandler {
      await dispatcher.run()
    } onGracefulShutdown: {
      dispatcher.finish()
    }
  }
}
