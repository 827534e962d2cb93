import Core
import Delivery
import FunctionHost
import HTTPClient
import Services

/// Where events go and come from beside our own functions and our own Firestore.
extension EmulatorConfiguration {
  mutating func chooseDestinations(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration
  ) throws(StatusError) {
    for option in options.deliver {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw StatusError(.invalidArgument, "--deliver \(option): it is NAME=URL")
      }
      let (name, url) = (String(parts[0]), String(parts[1]))
      guard deliver[name] == nil else {
        throw StatusError(.invalidArgument, "--deliver names \(name) twice")
      }
      deliver[name] = url
    }
    if !deliver.isEmpty, endpoints[.functions] == nil {
      throw StatusError(.invalidArgument, "--deliver needs functions, which --only leaves out")
    }
    try chooseFunctionsEmulator(options, firebase)
    try chooseFirestoreEmulator(options)
  }

  private mutating func chooseFunctionsEmulator(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration
  ) throws(StatusError) {
    if let text = options.functionsEmulator {
      guard endpoints[.firestore] != nil else {
        throw StatusError(
          .invalidArgument,
          "--functions-emulator needs firestore, which --only leaves out"
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
    guard let text = options.firestoreEmulator else { return }
    firestoreEmulator = try Addresses.Address(text, of: "--firestore-emulator")
    guard endpoints[.firestore] == nil, let functions = endpoints[.functions] else {
      throw StatusError(
        .invalidArgument,
        "--firestore-emulator is another Firestore: start this one with --only functions"
      )
    }
    let ofOurs = [
      ("--seed", seedsDemo), ("--data", dataFolder != nil), ("--import", dataImport != nil),
      ("--export-on-exit", exportOnExit != nil),
    ]
    if let (option, _) = ofOurs.first(where: \.1) {
      throw StatusError(.invalidArgument, "\(option) is for our own Firestore")
    }
    guard functions.port != 0 else {
      throw StatusError(
        .invalidArgument,
        "--firestore-emulator needs a --functions-port, to which that one posts events"
      )
    }
  }

  /// The targets of those functions whose events go to a URL.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a function there isn't or a URL that won't do.
  func targets(
    for catalog: FunctionCatalog,
    transport: HTTPClient
  ) throws(StatusError) -> [String: any FunctionTarget] {
    var targets: [String: any FunctionTarget] = [:]
    for (name, url) in deliver.sorted(by: { $0.key < $1.key }) {
      guard let function = catalog.functions[name] else {
        throw StatusError(
          .invalidArgument,
          "--deliver \(name): there is no such function, and its manifest says what wakes it"
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
  /// - Parameter text: `host:port`, an IPv6 address in brackets.
  fileprivate init(_ text: String, of option: String) throws(StatusError) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port)
    else { throw StatusError(.invalidArgument, "\(option) \(text): it is HOST:PORT") }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    self.init(host: host, port: port)
  }
}
