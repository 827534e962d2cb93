import Core
import Logging
import ServiceLifecycle
import Store

/// Takes away expired documents from time to time; production does so within a day.
struct ExpiryService: Service {
  var store: Store
  var interval: Duration
  var logger: Logger

  func run() async {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: interval)) != nil {
        do throws(StatusError) {
          try await store.expire()
        } catch {
          logger.warning("expired documents stay", metadata: ["reason": "\(error.message)"])
        }
      }
    }
  }
}
