import Core
import Logging
import Synchronization

/// Logs what is wrong with the requests of apps, such as a page's origin that isn't allowed.
///
/// An app repeats a refused request without end, so each text is logged once. Whoever varies the
/// text is heard a hundred times.
final class ClientWarnings: Sendable {
  private static let maximumCount = 100

  private let logger: Logger
  private let texts = Mutex<Set<String>>([])

  init(_ logger: Logger) { self.logger = logger }

  @Sendable func log(_ text: String) {
    let isNew = texts.withLock { $0.count < Self.maximumCount && $0.insert(text).inserted }
    if isNew { logger.warning("\(text)") }
  }
}
