import Core

/// A wait of a task for input on file descriptors. The transfer thread polls the descriptors
/// together with its connections.
struct InputWatch: Sendable {
  let descriptors: [Int32]
  let continuation: CheckedContinuation<Void, Never>

  /// A Boolean value that indicates whether a descriptor has input or is at its end. libcurl's own
  /// poll function doesn't report an end.
  var hasInput: Bool {
    var states = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&states, nfds_t(states.count), 0) > 0
  }
}
