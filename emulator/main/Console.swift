import Doubles
import Platform
import Server
import Triggers

/// What a person at the terminal reads.
struct Console: Sendable {
  /// `exec` leaves stdout to its command.
  var descriptor: Int32
  var start = ContinuousClock.now

  func print(_ text: String) { writeAll("\(text)\n".utf8, to: descriptor) }

  func announce(_ emulator: RunningEmulator) {
    let addresses = emulator.addresses
    print("WorldChat emulator, project \(emulator.configuration.project)")
    if let firestore = addresses["firestore"] {
      print("  Firestore  \(firestore.reachable)")
    } else if let other = emulator.configuration.firestoreEmulator {
      print("  Firestore  \(other), another emulator's")
    }
    if let functions = addresses["functions"] {
      let names = emulator.dispatcher.catalog.functions.keys.sorted().joined(separator: ", ")
      print("  Functions  http://\(functions.reachable)  \(names.isEmpty ? "none found" : names)")
    }
    if addresses["functions"] != nil {
      print("  Engines    \(emulator.doubles.engines)")
    }
    for line in emulator.configuration.providerLines { print("  Provider   \(line)") }
    if let ui = addresses["ui"] { print("  UI         http://\(ui.reachable)") }
    if let hub = addresses["hub"] { print("  Hub        http://\(hub.reachable)") }
    if let firestore = addresses["firestore"], firestore.host == "0.0.0.0" {
      for address in LocalAddresses.all {
        print("  On your network: FIRESTORE_EMULATOR_HOST=\(address):\(firestore.port)")
      }
    }
    let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
    print("  ready in \(milliseconds) ms\n")
  }
}
