import Core
import TestKit

/// A named pipe that makes functions wait until the test opens it.
final class RequestGate: Sendable {
  let path: String

  init(in folder: String) throws {
    path = "\(folder)/gate"
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Lets all functions continue, those that wait and later ones.
  func open() {
    // The descriptor is never closed, so the pipe has a writer from now on. Opening a pipe for
    // reading and writing doesn't block.
    _ = Core.open(path, O_RDWR | O_CLOEXEC)
  }

  /// The data of an event that makes its function wait at the gate.
  var data: String { #"{"gate":"\#(path)"}"# }
}

/// Runs `body` with a new gate.
func withGate(_ body: (RequestGate) async throws -> Void) async throws {
  try await withTemporaryFolder { folder in try await body(try RequestGate(in: folder)) }
}
