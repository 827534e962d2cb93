import Core
import Logging
import ServiceLifecycle
import Store

/// Deletes expired documents periodically. In production, Firestore deletes them within a day.
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
          logger.warning(
            "expired documents could not be deleted",
            metadata: ["reason": "\(error.message)"]
          )
        }
      }
    }
  }
}
