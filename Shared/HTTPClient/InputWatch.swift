import Core

/// Somebody who waits for input while the transfer thread waits for its connections.
struct InputWatch: Sendable {
  let descriptors: [Int32]
  let continuation: CheckedContinuation<Void, Never>

  /// Whether there is some, or its end. libcurl's own wait doesn't tell of an end.
  var hasInput: Bool {
    var states = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&states, nfds_t(states.count), 0) > 0
  }
}
