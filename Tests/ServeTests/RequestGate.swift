import Core
import TestKit

/// A named pipe at which functions wait until it is opened.
final class RequestGate: Sendable {
  let path: String

  /// Creates the pipe.
  ///
  /// - Parameter folder: the pipe's folder.
  init(in folder: String) throws {
    path = "\(folder)/gate"
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Lets all waiting and later functions through.
  func open() {
    // From then on the pipe has a writer as long as this process lives. Opening it for reading and
    // writing never blocks.
    _ = Core.open(path, O_RDWR | O_CLOEXEC)
  }

  /// The data of an event whose function waits at the gate.
  var data: String { #"{"gate":"\#(path)"}"# }
}

/// Runs the body with a gate of its own.
func withGate(_ body: (RequestGate) async throws -> Void) async throws {
  try await withTemporaryFolder { folder in try await body(try RequestGate(in: folder)) }
}
