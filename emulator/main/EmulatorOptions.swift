import ArgumentParser
import CloudEvents
import Delivery
import FunctionHost
import Persistence

/// The options that `start` and `exec` share. What isn't given comes from firebase.json, else from
/// Firebase's defaults.
struct EmulatorOptions: ParsableArguments {
  @Option(help: "Project id; demo- projects never reach a real one.")
  var project: String?

  @Option(help: "Address to listen on; 0.0.0.0 for phones on your network.")
  var host: String?

  @Option(help: "Port of Firestore, default 8080. 0 picks a free one, here and below.")
  var firestorePort: Int?

  @Option(help: "Port of the functions and the provider fakes, default 5001.")
  var functionsPort: Int?

  @Option(help: "Port of the pages and their API, default 4000.")
  var uiPort: Int?

  @Option(help: "Port of the hub, default 4400.")
  var hubPort: Int?

  @Option(help: "Port of Authentication; not built yet, nothing listens.")
  var authPort: Int?

  @Option(help: "Port of the Realtime Database; not built yet, nothing listens.")
  var databasePort: Int?

  @Option(help: "Port of Storage; not built yet, nothing listens.")
  var storagePort: Int?

  @Option(help: "Services to start, of firestore,functions,ui,hub. Default: all.")
  var only: String?

  @Option(
    help: ArgumentHelp(
      "Folder of functions: any executable that answers --describe. May be repeated.",
      discussion: "Default: the folder the emulator is in.",
      valueName: "dir"
    )
  )
  var functions: [String] = []

  @Option(help: "Data to begin with; `demo` is the only set.")
  var seed: String?

  @Option(
    help: ArgumentHelp(
      "Folder that keeps Firestore's documents; made if it isn't there.",
      discussion: "Default: they are kept in memory and gone at the end.",
      valueName: "dir"
    )
  )
  var data: String?

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Data to begin with: an export of this emulator, of Google's or of a real database.",
      discussion: "A folder, or the file in it that describes the export.",
      valueName: "path"
    )
  )
  var importPath: String?

  @Flag(help: "Let the imported documents fire triggers.")
  var importTriggers = false

  @Option(
    help: ArgumentHelp(
      "Folder to export everything to at the end. An earlier export there is replaced.",
      discussion: "With --import of the same folder the first start, without it, begins empty.",
      valueName: "dir"
    )
  )
  var exportOnExit: String?

  @Option(help: "What --export-on-exit writes: ndjson, or google for Google's emulator.")
  var exportFormat: ExportFormat = .ndjson

  @Option(help: "Security rules; there is no engine yet, so --no-rules must say that data is open.")
  var rules: String?

  @Flag(help: "Leave the data open although the configuration names rules.")
  var noRules = false

  @Option(
    help: ArgumentHelp(
      "Indexes and TTL policies, firestore.indexes.json: a query that lacks its index is refused.",
      discussion: "Default: what firebase.json names; without it every query is answered.",
      valueName: "file"
    )
  )
  var indexes: String?

  @Option(
    help: "Seconds between two times that what the indexes' TTL policies say has expired goes."
  )
  var ttlInterval = 60.0

  @Option(help: "How many writes a commit may have; 500 was once the limit. Default: any number.")
  var writesPerCommit: Int?

  @Option(help: "A Host and Origin to let in beside loopback. May be repeated.")
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "An Origin to let in beside loopback's, such as https://dev.example:3000. May be repeated.",
      valueName: "origin"
    )
  )
  var allowOrigin: [String] = []

  @Option(help: "How functions run: worker or process.")
  var isolation: IsolationOption = .worker

  @Option(
    help: ArgumentHelp(
      "How what failed for a while is tried again: local or production.",
      discussion: "local: 3 attempts from 100 ms on. production: 10 to 600 s apart, for a day."
    )
  )
  var retry: RetryOption = .local

  @Option(
    help: ArgumentHelp(
      "How many times faster than in reality retries are waited for. Timestamps stay true.",
      valueName: "n"
    )
  )
  var timeScale = 1.0

  @Option(
    help: ArgumentHelp(
      "What is to go wrong with deliveries and providers, the same for the same seed.",
      discussion:
        "For example seed=7,duplicate=0.2,reorder,delay=0..200ms,crash=0.05,provider=0.1",
      valueName: "spec"
    )
  )
  var chaos: String?

  @Option(
    help: ArgumentHelp(
      "A function to debug: its events wait until a debugger has its process.",
      discussion: "The process to attach lldb to is printed. No limit of time holds for it.",
      valueName: "name"
    )
  )
  var inspect: String?

  @Option(
    help: ArgumentHelp(
      "A URL that gets a function's events instead of its executable. May be repeated.",
      discussion: "Plain http only on this machine: the events hold what people write.",
      valueName: "name=url"
    )
  )
  var deliver: [String] = []

  @Option(
    help: ArgumentHelp(
      "What translates in a provider's place: phrasebook, apertium or pseudo.",
      discussion: """
        phrasebook marks what it doesn't have as untranslated. apertium, installed from Debian, is \
        asked for that before. pseudo marks everything.
        """
    )
  )
  var translator: TranslatorOption = .phrasebook

  @Option(help: "How --deliver writes events: protobuf and json in binary mode, or structured.")
  var deliverFormat: DeliverFormat = .protobuf

  @Option(
    help: ArgumentHelp(
      "Where a provider's answers come from, if not from its fake. May be repeated.",
      discussion: """
        live asks the real one and costs money; a URL another one; cassettes are what --cassettes \
        has kept of it. NAME is translation, openai, anthropic or fcm.
        """,
      valueName: "name=live|url|cassettes"
    )
  )
  var provider: [String] = []

  @Option(
    help: ArgumentHelp(
      "The variable with the key for a provider at a URL, or for a live one. May be repeated.",
      discussion: "Default: none for a URL; for a live one the variable that its clients read.",
      valueName: "name=variable"
    )
  )
  var providerKey: [String] = []

  @Option(
    help: ArgumentHelp(
      "Folder of exchanges with real providers: kept of live ones, asked by =cassettes.",
      discussion: "Keys and tokens aren't in it, but what people wrote is.",
      valueName: "dir"
    )
  )
  var cassettes: String?

  @Flag(help: "Have a real FCM check pushes and send none.")
  var validatePushes = false

  @Option(
    name: [.customLong("functions-emulator"), .customLong("functions_emulator")],
    help: ArgumentHelp(
      "Another functions emulator, whose triggers may ask our Firestore for events.",
      discussion: "Default: that of firebase.json, if --only leaves our functions out.",
      valueName: "host:port"
    )
  )
  var functionsEmulator: String?

  @Option(
    help: ArgumentHelp(
      "Another Firestore emulator, Google's, to whose documents our functions listen.",
      discussion: """
        With --only functions; it is to be started with --functions_emulator and our address.
        """,
      valueName: "host:port"
    )
  )
  var firestoreEmulator: String?

  @Flag(help: "Fire no triggers.")
  var noTriggers = false

  @Option(help: "File to write every service's host and port to, once all accept.")
  var readyFile: String?

  @Option(help: "Form of the log on stderr: text or json.")
  var logFormat: LogFormat = .text

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

/// The forms that `--deliver` offers.
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
