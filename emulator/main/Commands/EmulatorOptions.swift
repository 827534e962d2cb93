import ArgumentParser
import CloudEvents
import Delivery
import FunctionHost
import Persistence

/// The options that `start` and `exec` share.
///
/// An option that isn't given has the value from firebase.json, or else Firebase's default.
struct EmulatorOptions: ParsableArguments {
  @OptionGroup(title: "Services") var services: ServiceOptions
  @OptionGroup(title: "Project and data") var data: DataOptions
  @OptionGroup(title: "Firestore") var firestore: FirestoreOptions
  @OptionGroup(title: "Functions and delivery") var functions: FunctionOptions
  @OptionGroup(title: "Providers") var providers: ProviderOptions
  @OptionGroup(title: "Other emulators and servers") var destinations: DestinationOptions

  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  enum RetryOption: String, ExpressibleByArgument, CaseIterable {
    case local, production

    var policy: DeliveryRetryPolicy { self == .local ? .local : .production }
  }

  enum IsolationOption: String, ExpressibleByArgument, CaseIterable {
    case worker, process

    var isolation: Isolation { self == .worker ? .worker : .process }
  }
}

/// The options of the services and their ports.
struct ServiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Services to start, separated by commas: firestore, auth, database, storage, functions, \
      ui, hub. \
      (default: all)
      """,
      valueName: "services"
    )
  )
  var only: String?

  @Option(
    help: ArgumentHelp(
      """
      Address to listen on; 0.0.0.0 lets phones on your network connect. \
      (default: firebase.json's, or 127.0.0.1)
      """,
      valueName: "address"
    )
  )
  var host: String?

  @Option(
    help: ArgumentHelp(
      "Port of Firestore; 0 picks a free port. This holds for all port options. (default: 8080)",
      valueName: "port"
    )
  )
  var firestorePort: Int?

  @Option(help: ArgumentHelp("Port of Authentication. (default: 9099)", valueName: "port"))
  var authPort: Int?

  @Option(
    help: ArgumentHelp("Port of the Realtime Database. (default: 9000)", valueName: "port")
  )
  var databasePort: Int?

  @Option(help: ArgumentHelp("Port of Cloud Storage. (default: 9199)", valueName: "port"))
  var storagePort: Int?

  @Option(
    help: ArgumentHelp(
      "Port of the functions and the provider fakes. (default: 5001)",
      valueName: "port"
    )
  )
  var functionsPort: Int?

  @Option(
    help: ArgumentHelp("Port of the pages and their API. (default: 4000)", valueName: "port")
  )
  var uiPort: Int?

  @Option(
    help: ArgumentHelp(
      "Port of the hub, where tools find the other services. (default: 4400)",
      valueName: "port"
    )
  )
  var hubPort: Int?

  @Option(
    help: ArgumentHelp(
      "Host to accept in Host and Origin headers besides loopback. May be repeated.",
      valueName: "host"
    )
  )
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Origin to accept besides loopback's, such as https://dev.example:3000. May be repeated.
      """,
      valueName: "origin"
    )
  )
  var allowOrigin: [String] = []

  @Option(
    help: ArgumentHelp(
      "File to write each service's host and port to, as JSON, once all accept connections.",
      valueName: "file"
    )
  )
  var readyFile: String?

  @Option(
    help: ArgumentHelp(
      "Format of the log on stderr. LOG_LEVEL sets its level, warning by default.",
      valueName: "format"
    )
  )
  var logFormat: EmulatorOptions.LogFormat = .text

  @Flag(help: "Print only warnings: no addresses, and no line for each delivery.")
  var quiet = false
}

/// The options of the project and its documents.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Project id, or an alias in .firebaserc. An id that begins with demo- never belongs to a \
      real project. \
      (default: .firebaserc's, or demo-worldchat)
      """,
      valueName: "id"
    )
  )
  var project: String?

  @Option(
    help: ArgumentHelp(
      """
      Data to write at the start: demo, or a JSON file with documents by path. Documents that \
      exist already aren't changed.
      """,
      valueName: "demo|file"
    )
  )
  var seed: String?

  @Option(
    help: ArgumentHelp(
      """
      Folder that keeps documents, accounts and deliveries between runs; created if missing. \
      (default: memory only)
      """,
      valueName: "dir"
    )
  )
  var data: String?

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      """
      Folder of an export to load at the start, or the metadata file in it. \
      The export is from this emulator, Google's emulator or a real database.
      """,
      valueName: "path"
    )
  )
  var importPath: String?

  @Flag(help: "Fire triggers for the imported documents.")
  var importTriggers = false

  @Option(
    help: ArgumentHelp(
      """
      Folder to export the data of all services to on exit; an earlier export in it is \
      replaced. --import may name the same folder, even before it exists.
      """,
      valueName: "dir"
    )
  )
  var exportOnExit: String?

  @Option(
    help: ArgumentHelp(
      "Format of --export-on-exit; google is for Google's emulator and cloud.",
      valueName: "format"
    )
  )
  var exportFormat: ExportFormat = .ndjson
}

/// The options of Firestore.
struct FirestoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Indexes and TTL policies (firestore.indexes.json). A query whose index is missing fails. \
      (default: firebase.json's; without a file, queries need no index)
      """,
      valueName: "file"
    )
  )
  var indexes: String?

  @Option(
    help: ArgumentHelp(
      "Seconds between runs that delete expired documents.",
      valueName: "seconds"
    )
  )
  var ttlInterval = 60.0

  @Option(
    help: ArgumentHelp(
      """
      Maximum number of writes in a commit, such as 500, Firestore's former limit. \
      (default: no limit)
      """,
      valueName: "n"
    )
  )
  var writesPerCommit: Int?

  @Option(
    help: ArgumentHelp(
      """
      File of security rules, which is loaded again when it changes. \
      (default: firebase.json's; without a file, all data is open)
      """,
      valueName: "file"
    )
  )
  var rules: String?

  @Flag(help: "Open all data to every client, whatever --rules and firebase.json say.")
  var noRules = false
}

/// The options of the functions and the delivery of events.
struct FunctionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Folder of functions: executables that support --describe. May be repeated. \
      (default: the emulator's own folder)
      """,
      valueName: "dir"
    )
  )
  var functions: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      worker: one process handles many events in turn; process: a new process for each event.
      """,
      valueName: "kind"
    )
  )
  var isolation: EmulatorOptions.IsolationOption = .worker

  @Flag(help: "Fire no triggers.")
  var noTriggers = false

  @Option(
    help: ArgumentHelp(
      """
      Retry policy: local makes 3 attempts, the second after 100 ms; production retries for a \
      day, at intervals of 10 to 600 s.
      """,
      valueName: "policy"
    )
  )
  var retry: EmulatorOptions.RetryOption = .local

  @Option(
    help: ArgumentHelp(
      "Number to divide retry delays by; timestamps don't change.",
      valueName: "n"
    )
  )
  var timeScale = 1.0

  @Option(
    help: ArgumentHelp(
      """
      Faults to inject. The same seed injects the same faults. A comma-separated list: seed=N; \
      duplicate=P, reorder and delay=A..Bms for deliveries; crash=P for functions; provider=P for \
      the fakes. P is a probability from 0 to 1.
      """,
      valueName: "spec"
    )
  )
  var chaos: String?

  @Option(
    help: ArgumentHelp(
      """
      Function to debug: its events wait until a debugger attaches with the printed command. No \
      time limit applies to it.
      """,
      valueName: "name"
    )
  )
  var inspect: String?
}

/// The options of the providers that functions call.
struct ProviderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Engine of the translation fakes: phrasebook; apertium, for the texts that the phrasebook \
      lacks, if Debian's packages are installed; or pseudo, which only puts the text in \
      marks (⟦it⟧ …). A text that no engine translates is put in these marks, too.
      """,
      valueName: "engine"
    )
  )
  var translator: TranslatorOption = .phrasebook

  @Option(
    help: ArgumentHelp(
      """
      Source of a provider's responses in place of its fake: live (the real provider, which costs \
      money), the URL of another server with the same API, or cassettes (the responses in \
      --cassettes). NAME is translation, openai, anthropic or fcm. May be repeated.
      """,
      valueName: "name=live|url|cassettes"
    )
  )
  var provider: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Environment variable with the key of a provider that is set by --provider NAME=live or \
      NAME=URL. May be repeated. (default for live: the usual one, such as OPENAI_API_KEY; for a \
      URL: none)
      """,
      valueName: "name=variable"
    )
  )
  var providerKey: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Folder of recorded provider responses. With NAME=live or NAME=URL, responses are added; \
      with NAME=cassettes, they are played back. They contain people's texts, but no keys and no \
      tokens.
      """,
      valueName: "dir"
    )
  )
  var cassettes: String?

  @Flag(help: "Have the real FCM check pushes and send none. Needs --provider fcm=live.")
  var validatePushes = false
}

/// The options of other emulators and servers that events go to or come from.
struct DestinationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      URL to post a function's events to, instead of running its executable. Events contain \
      people's texts, so plain http is allowed only to this machine. May be repeated.
      """,
      valueName: "name=url"
    )
  )
  var deliver: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Form of the events that --deliver posts: protobuf or json (binary mode), or structured (one \
      JSON document).
      """,
      valueName: "form"
    )
  )
  var deliverFormat: DeliverFormat = .protobuf

  @Option(
    name: [.customLong("functions-emulator"), .customLong("functions_emulator")],
    help: ArgumentHelp(
      """
      Another functions emulator, such as Firebase's, that may register triggers with this \
      Firestore. \
      (default: firebase.json's, if --only leaves out functions)
      """,
      valueName: "host:port"
    )
  )
  var functionsEmulator: String?

  @Option(
    help: ArgumentHelp(
      """
      Google's Firestore emulator, whose documents trigger these functions. Needs --only \
      functions; start Google's with --functions_emulator and the address of these functions.
      """,
      valueName: "host:port"
    )
  )
  var firestoreEmulator: String?
}

/// The event formats of `--deliver`.
enum DeliverFormat: String, ExpressibleByArgument, CaseIterable {
  case protobuf, json, structured

  var form: EventMessage.Form {
    switch self {
    case .protobuf: .protobuf
    case .json: .json
    case .structured: .structured
    }
  }
}

extension ExportFormat: ExpressibleByArgument {}
