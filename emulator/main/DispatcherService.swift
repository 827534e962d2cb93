import Delivery
import ServiceLifecycle

/// Delivers events until the emulator ends.
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
