import Core
import TestKit

/// A named pipe at which functions wait until it is opened.
final class RequestGate: Sendable {
  let path: String

  /// - Parameter folder: where it lies.
  init(in folder: String) throws {
    path = "\(folder)/gate"
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Lets through all who wait and all who come.
  func open() {
    // It has a writer from then on, as long as the process lives; who opens it both ways never waits.
    _ = Core.open(path, O_RDWR | O_CLOEXEC)
  }

  /// The data of an event that waits.
  var data: String { #"{"gate":"\#(path)"}"# }
}

/// Runs the body with a gate of its own.
func withGate(_ body: (RequestGate) async throws -> Void) async throws {
  try await withTemporaryFolder { folder in try await body(try RequestGate(in: folder)) }
}
