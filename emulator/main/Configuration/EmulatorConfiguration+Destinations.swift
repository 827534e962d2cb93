import Core
import Delivery
import FunctionHost
import HTTPClient
import Services

/// The options that send events to other servers, or take events from another emulator.
extension EmulatorConfiguration {
  mutating func chooseDestinations(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration
  ) throws(StatusError) {
    for option in options.destinations.deliver {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw StatusError(.invalidArgument, "--deliver \(option): use NAME=URL")
      }
      let (name, url) = (String(parts[0]), String(parts[1]))
      guard deliver[name] == nil else {
        throw StatusError(.invalidArgument, "--deliver names \(name) twice")
      }
      deliver[name] = url
    }
    if !deliver.isEmpty, endpoints[.functions] == nil {
      throw StatusError(.invalidArgument, "--deliver needs functions: add functions to --only")
    }
    try chooseFunctionsEmulator(options, firebase)
    try chooseFirestoreEmulator(options)
  }

  private mutating func chooseFunctionsEmulator(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration
  ) throws(StatusError) {
    if let text = options.destinations.functionsEmulator {
      guard endpoints[.firestore] != nil else {
        throw StatusError(
          .invalidArgument,
          "--functions-emulator needs firestore: add firestore to --only"
        )
      }
      functionsEmulator = try Addresses.Address(text, of: "--functions-emulator")
    } else if endpoints[.functions] == nil, let settings = firebase.emulators[.functions],
      let port = settings.port
    {
      functionsEmulator = Addresses.Address(host: settings.host ?? "127.0.0.1", port: port)
    }
  }

  private mutating func chooseFirestoreEmulator(
    _ options: EmulatorOptions
  ) throws(StatusError) {
    guard let text = options.destinations.firestoreEmulator else { return }
    firestoreEmulator = try Addresses.Address(text, of: "--firestore-emulator")
    guard endpoints[.firestore] == nil, let functions = endpoints[.functions] else {
      throw StatusError(
        .invalidArgument,
        "--firestore-emulator replaces this emulator's Firestore: add --only functions"
      )
    }
    let ofOurs = [
      ("--seed", seedsDemo || seedFile != nil), ("--data", dataFolder != nil),
      ("--import", dataImport != nil),
      ("--export-on-exit", exportOnExit != nil),
    ]
    if let (option, _) = ofOurs.first(where: \.1) {
      throw StatusError(
        .invalidArgument,
        "\(option) needs this emulator's Firestore, which --firestore-emulator replaces: leave out "
          + "one of the two options"
      )
    }
    guard functions.port != 0 else {
      throw StatusError(
        .invalidArgument,
        "--firestore-emulator needs a fixed --functions-port (not 0), because Google's emulator "
          + "posts events to it"
      )
    }
  }

  /// Returns the targets of the functions whose events go to a URL.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an unknown function or an unusable URL.
  func targets(
    for catalog: FunctionCatalog,
    transport: HTTPClient
  ) throws(StatusError) -> [String: any FunctionTarget] {
    var targets: [String: any FunctionTarget] = [:]
    for (name, url) in deliver.sorted(by: { $0.key < $1.key }) {
      guard let function = catalog.functions[name] else {
        throw StatusError(
          .invalidArgument,
          "--deliver \(name): no function has this name: add the folder of its executable with "
            + "--functions, since the triggers are in the executable's manifest"
        )
      }
      do throws(StatusError) {
        targets[name] = try HTTPTarget(
          function.manifest,
          url: url,
          form: deliverForm,
          transport: transport
        )
      } catch {
        throw StatusError(.invalidArgument, "--deliver \(name): \(error.message)")
      }
    }
    return targets
  }
}

extension Addresses.Address {
  /// Creates an address from an option's argument.
  ///
  /// - Parameter text: `host:port`; an IPv6 address is in brackets.
  /// - Throws: `INVALID_ARGUMENT` if the text has another form.
  fileprivate init(_ text: String, of option: String) throws(StatusError) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port)
    else { throw StatusError(.invalidArgument, "\(option) \(text): use HOST:PORT") }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    self.init(host: host, port: port)
  }
}
