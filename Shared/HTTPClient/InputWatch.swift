import Core

/// A task that waits for input on file descriptors while the transfer thread polls its connections.
struct InputWatch: Sendable {
  let descriptors: [Int32]
  let continuation: CheckedContinuation<Void, Never>

  /// A Boolean value that indicates whether there is input or its end. libcurl's own poll doesn't
  /// report an end.
  var hasInput: Bool {
    var states = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&states, nfds_t(states.count), 0) > 0
  }
}
