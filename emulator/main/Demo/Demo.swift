import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import ProviderFakes
import Services
import Store

/// The demo of `--seed demo`: it writes the data step by step and prints the functions' effects.
///
/// The printed results are read from the store and from the phones' inbox; none is hard-coded.
struct Demo {
  /// The argument of `--seed` that stands for this data.
  static let name = "demo"

  let emulator: RunningEmulator
  private let data: DemoData

  init(_ emulator: RunningEmulator) {
    self.emulator = emulator
    data = DemoData(
      project: emulator.configuration.project,
      store: emulator.store,
      accounts: emulator.accounts
    )
  }

  /// Writes the data, and prints the functions' effects.
  ///
  /// - Parameter keepsRunning: Whether the emulator keeps running after the demo. If so, the output
  ///   ends with commands to try.
  func run(_ console: Console, keepsRunning: Bool) async throws(StatusError) {
    try await addAccounts(console)
    // Without Firestore nobody could see the documents.
    guard emulator.addresses[.firestore] != nil else { return }
    guard try !data.isWritten else {
      console.print("Sarah and Marco have already met: the demo's data isn't written again.\n")
      if keepsRunning { lookUp(console) }
      return
    }
    try await data.writePeople()
    for message in DemoData.messages { try await tell(message, console) }
    await suggestReplies(console)
    await ask("Quando ci vediamo per un caffè?", console)
    if keepsRunning { lookUp(console) }
  }

  /// Creates the people's accounts, and prints how to sign in.
  private func addAccounts(_ console: Console) async throws(StatusError) {
    guard emulator.addresses[.auth] != nil else { return }
    let emails = try await data.addAccounts()
    guard !emails.isEmpty else { return }
    console.print("Accounts: \(emails.joined(separator: ", ")); password: \(DemoData.password)\n")
  }

  func name(_ path: String) throws(StatusError) -> DocumentName { try data.name(path) }

  // MARK: Messages

  /// Writes a message as Sarah, and prints its translations, pushes and deliveries.
  private func tell(_ message: DemoData.Message, _ console: Console) async throws(StatusError) {
    let pushesBefore = pushes.count
    let before = emulator.dispatcher.deliveries.count
    let name = try await data.write(message)
    await emulator.dispatcher.quiet()

    console.print("\(message.title):  \(message.text)")
    guard let document = emulator.store.document(name) else { return }
    let translations = document.fields["translations"]?.mapValue ?? [:]
    for (language, translation) in translations.sorted(by: { $0.key < $1.key }) {
      let engine =
        document.fields[FieldPath("translationMeta", language.string, "engine")]?
        .stringValue ?? "?"
      let shown =
        PseudoTranslation.isPart(of: engine)
        ? "not translated: the text isn't in the phrasebook"
        : "\(translation.stringValue ?? "")   [\(engine)]"
      console.print("  \(language)  \(shown)")
    }
    explain(message: name.id, console)
    for push in pushes.dropFirst(pushesBefore) {
      let notification = push["message"]?["notification"]
      console.print(
        "  📱 \(push["token"]?.string ?? "")  \(notification?["title"]?.string ?? ""): "
          + "\(notification?["body"]?.string ?? "")"
      )
    }
    for delivery in emulator.dispatcher.deliveries.dropFirst(before) {
      let milliseconds = delivery.duration.map { Int($0 / .milliseconds(1)) } ?? 0
      let error = delivery.result?.error.map { "  \($0)" } ?? ""
      console.print(
        "  \(delivery.function) \(delivery.state.rawValue) in \(milliseconds) ms\(error)"
      )
    }
    console.print("")
  }

  private var pushes: [JSONValue] { emulator.fakes.push.inbox["messages"]?.array ?? [] }

  private func lookUp(_ console: Console) {
    guard let firestore = emulator.addresses[.firestore]?.reachable,
      let functions = emulator.addresses[.functions]?.reachable
    else { return }
    console.print("Look it up:")
    let header =
      if case .file = emulator.configuration.rules {
        " -H 'Authorization: Bearer owner'"
      } else {
        ""
      }
    for path in ["conversations/sarah-marco/messages/hello", "aiAnalysis/interview"] {
      console.print("  curl 'http://\(firestore)/v1/\(data.database.documents)/\(path)'\(header)")
    }
    console.print("  curl http://\(functions)/providers/fcm/inbox")
    if let ui = emulator.addresses[.ui]?.reachable {
      console.print("  http://\(ui)  in a browser: phones, every event, all documents")
    }
    console.print("Try it:")
    console.print(
      "  curl http://\(functions)/translateMessage "
        + "-d '{\"text\":\"See you tomorrow!\",\"sourceLang\":\"en\",\"targetLang\":\"it\"}'"
    )
    let emulator = CommandLine.arguments.first ?? "emulator"
    console.print(
      "  curl http://\(functions)/smartReplies -d '{\"conversationId\":\"sarah-marco\"}' "
        + "-H \"Authorization: Bearer $(\(emulator) token --uid marco)\""
    )
    console.print("")
  }
}
