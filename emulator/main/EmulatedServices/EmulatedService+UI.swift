import Core
import FunctionRuntime
import ProviderFakes
import Providers
import Recording
import Services
import UI

extension EmulatedService {
  /// The pages and their API.
  static let ui = EmulatedService(
    name: .ui,
    title: "UI",
    defaultPort: 4000,
    fallsBackToFreePort: true,
    portOption: \.services.uiPort,
    hostVariable: "EMULATOR_UI_HOST",
    make: { components in
      let startup = components.startup
      let folders = components.configuration.functionFolders
      return Protocols(
        http: UIService(
          dispatcher: components.dispatcher,
          store: components.store,
          transfer: components.transfer,
          firestore: components.firestore(),
          databases: components.databases,
          databaseRules: components.databaseRulesStatus,
          objects: components.objects,
          storageRules: components.storageRules,
          storageRulesStatus: components.storageRulesStatus,
          about: components.about,
          rules: components.rulesStatus,
          pages: components.shell["EMULATOR_PAGES"].map(PageFiles.folder) ?? .embedded,
          recorder: components.recorder,
          makeFixture: { recording throws(StatusError) in
            try await EmulatedService.makeFixture(of: recording, functions: folders)
          },
          writeDemo: { () throws(StatusError) in try await components.writeDemo() },
          newID: components.sources.newID,
          addresses: { startup.addresses }
        )
      )
    }
  )

  /// Makes a fixture of a recording, after a replay has shown that it reproduces the recording.
  private static func makeFixture(
    of recording: ReplayFixture,
    functions folders: [String]
  ) async throws(StatusError) -> ReplayFixture {
    do {
      return try await ReplayFunctions.withEngine(in: folders) { engine in
        try await FixtureMaker(engine).fixture(of: recording)
      }
    } catch {
      throw error as? StatusError ?? StatusError(.internal, "\(error)")
    }
  }
}

extension EmulatorComponents {
  /// Writes the demo's data, whose functions then run.
  ///
  /// - Throws: `ALREADY_EXISTS` if it has been written already; `FAILED_PRECONDITION` without
  ///   Firestore.
  fileprivate func writeDemo() async throws(StatusError) {
    let addresses = startup.addresses
    guard addresses[.firestore] != nil else {
      throw StatusError(
        .failedPrecondition,
        "the demo needs Firestore, which this emulator doesn't run: start it without --only"
      )
    }
    let demo = DemoData(project: configuration.project, store: store, accounts: accounts)
    guard try !demo.isWritten else {
      throw StatusError(
        .alreadyExists,
        "the demo's documents exist: clear all documents before you write them again"
      )
    }
    if addresses[.auth] != nil { _ = try await demo.addAccounts() }
    try await demo.writePeople()
    for message in DemoData.messages { _ = try await demo.write(message) }
  }

  fileprivate var about: UIService.About {
    .init(
      project: configuration.project,
      started: sources.now(),
      engines: fakes.engines,
      phrases: fakes.examples,
      realProviders: configuration.providerLines,
      isolation: configuration.isolation,
      dataFolder: configuration.dataFolder,
      prices: try? PriceTable(shell["PRICES"]),
      hostVariables: EmulatedService.all.filter { $0.name != .ui }
        .map { ($0.name, $0.hostVariable) }
    )
  }
}
