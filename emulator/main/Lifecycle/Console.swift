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
  var descriptor: Int32
  var start = ContinuousClock.now

  func print(_ text: String) { writeAll("\(text)\n".utf8, to: descriptor) }

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
    for report in reports where !report.isEmpty { print("\(report)\n") }
  }

  private func announce(_ title: String, _ text: String) {
    print("  \(title)\(String(repeating: " ", count: max(1, 16 - title.count)))\(text)")
  }
}
