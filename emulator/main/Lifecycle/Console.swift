import Core
import Delivery
import FirestoreAPI
import ProviderFakes
import Rules
import Services

/// The emulator's output on the terminal.
struct Console: Sendable {
  /// The file descriptor to write to: stdout for `start`, but stderr for `exec`, which leaves
  /// stdout to its command.
  let descriptor: Int32
  /// A Boolean value that indicates whether only warnings are printed.
  let isQuiet: Bool
  private let start = ContinuousClock.now
  /// A Boolean value that indicates whether text is styled: on a terminal that supports it, unless
  /// the variable `NO_COLOR` is set (https://no-color.org).
  let hasStyles: Bool

  init(descriptor: Int32, isQuiet: Bool = false) {
    self.descriptor = descriptor
    self.isQuiet = isQuiet
    let environment = ProcessInfo.processInfo.environment
    hasStyles =
      isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Prints a text, unless the output is quiet.
  func print(_ text: String) { if !isQuiet { warn(text) } }

  /// Prints a text even if the output is quiet.
  func warn(_ text: String) { writeAll("\(text)\n".utf8, to: descriptor) }

  /// A Boolean value that indicates whether the output is a pipe that nobody reads any more.
  var isClosed: Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }

  /// Prints the addresses of the services.
  func announce(_ emulator: RunningEmulator) {
    let addresses = emulator.addresses
    print("WorldChat emulator, project \(emulator.configuration.project)")
    if let other = emulator.configuration.firestoreEmulator {
      announce("Firestore", "\(other) (another emulator)")
    }
    for service in EmulatedService.all {
      guard let address = addresses[service.name] else { continue }
      let url = "\(service.scheme)\(address.reachable)"
      guard service.name == .functions else {
        announce(service.title, url)
        if service.name == .firestore {
          announce("Rules", emulator.configuration.rules.summary)
        }
        if service.name == .database {
          announce("Database rules", emulator.configuration.databaseRules.summary)
        }
        if service.name == .storage {
          announce("Storage rules", emulator.configuration.storageRules.summary)
        }
        continue
      }
      let names = emulator.dispatcher.catalog.functions.keys.sorted().joined(separator: ", ")
      announce(service.title, "\(url)  \(names.isEmpty ? "none found" : names)")
      announce("Engines", emulator.fakes.engines)
      for line in emulator.configuration.providerLines { announce("Provider", line) }
    }
    if EmulatedService.all.contains(where: { addresses[$0.name]?.host == "0.0.0.0" }) {
      for address in LocalAddresses.all {
        print("  On your network: \(address), with the same ports")
      }
    }
    let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
    print("  ready in \(milliseconds) ms\n")
    var reports = emulator.configuration.storageRules.reports
    if case .file(_, _, let file) = emulator.configuration.rules { reports.append(file.report()) }
    for report in reports where !report.isEmpty { warn("\(report)\n") }
  }

  /// Prints a fact: its title, then its text in a second column.
  func announce(_ title: String, _ text: String) {
    print("  \(title.padded(to: 15)) \(text)")
  }
}
