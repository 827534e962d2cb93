import Authentication
import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import ProviderFakes
import Services
import Store

/// The data of `--seed demo`: four people, two conversations, and Sarah's messages.
///
/// The printed results are read from the store and from the phones' inbox; none is hard-coded.
struct Demo {
  private struct Person {
    var uid: String
    var name: String
    var language: String
    var email: String { "\(uid)@example.com" }
  }

  private static let people = [
    Person(uid: "sarah", name: "Sarah", language: "en"),
    Person(uid: "marco", name: "Marco", language: "it"),
    Person(uid: "lea", name: "Léa", language: "fr"),
    Person(uid: "jonas", name: "Jonas", language: "de"),
  ]

  /// The password of all four. The Chat page signs in with it, too (`chat/admission.js`).
  private static let password = "worldchat"

  let emulator: RunningEmulator
  private let database: DatabaseName

  init(_ emulator: RunningEmulator) {
    self.emulator = emulator
    database = DatabaseName(project: emulator.configuration.project)
  }

  /// Writes the data, and prints the functions' effects.
  ///
  /// - Parameter keepsRunning: Whether the emulator keeps running after the demo. If so, the output
  ///   ends with commands to try.
  func run(_ console: Console, keepsRunning: Bool) async throws(StatusError) {
    try await addAccounts(console)
    // Without Firestore nobody could see the documents.
    guard emulator.addresses[.firestore] != nil else { return }
    guard emulator.store.document(try name("conversations/sarah-marco")) == nil else {
      console.print("Sarah and Marco have already met: the demo's data isn't written again.\n")
      if keepsRunning { lookUp(console) }
      return
    }
    var writes: [Write] = []
    for person in Self.people { writes += try profile(person) }
    writes.append(
      try document(
        "conversations/sarah-marco",
        ["type": "one-on-one", "participants": ["sarah", "marco"]]
      )
    )
    writes.append(
      try document(
        "conversations/trip",
        [
          "type": "group", "name": "Trip to Rome",
          "participants": ["sarah", "marco", "lea", "jonas"],
        ]
      )
    )
    _ = try await emulator.store.commit(writes, in: database)

    try await tell(
      "Sarah writes to Marco",
      message: "conversations/sarah-marco/messages/hello",
      text: "Hey, let's meet for coffee tomorrow!",
      console
    )
    try await tell(
      "Sarah writes to the group",
      message: "conversations/trip/messages/thanks",
      text: "Thank you so much!",
      console
    )
    try await tell(
      "Sarah writes to Marco",
      message: "conversations/sarah-marco/messages/interview",
      text: "Break a leg at your interview tomorrow!",
      console
    )
    await suggestReplies(console)
    await ask("Quando ci vediamo per un caffè?", console)
    if keepsRunning { lookUp(console) }
  }

  /// Creates the people's accounts, and prints how to sign in.
  private func addAccounts(_ console: Console) async throws(StatusError) {
    guard emulator.addresses[.auth] != nil else { return }
    let accounts = Self.people.map { person in
      var account = Account(localId: person.uid)
      account.email = person.email
      account.displayName = person.name
      return account
    }
    do throws(AuthenticationError) {
      let emails = try await emulator.accounts.addSampleAccounts(
        accounts,
        password: Self.password,
        at: .now
      )
      guard !emails.isEmpty else { return }
      console.print("Accounts: \(emails.joined(separator: ", ")); password: \(Self.password)\n")
    } catch {
      throw error.statusError
    }
  }

  private func profile(_ person: Person) throws(StatusError) -> [Write] {
    [
      try document(
        "users/\(person.uid)",
        [
          "displayName": .string(person.name), "primaryLanguage": .string(person.language),
          "email": .string(person.email),
        ]
      ),
      try document(
        "users/\(person.uid)/devices/phone",
        ["fcmToken": .string("\(person.uid)-phone"), "platform": "ios"]
      ),
    ]
  }

  private func document(_ path: String, _ fields: Fields) throws(StatusError) -> Write {
    Write(.update(Document(name: try name(path), fields: fields)))
  }

  func name(_ path: String) throws(StatusError) -> DocumentName {
    try DocumentName(database: database, path: ResourcePath(path))
  }

  // MARK: Messages

  /// Writes a message as Sarah, and prints its translations, pushes and deliveries.
  private func tell(
    _ title: String,
    message path: String,
    text: String,
    _ console: Console
  ) async throws(StatusError) {
    let pushesBefore = pushes.count
    let before = emulator.dispatcher.deliveries.count
    var write = try document(
      path,
      [
        "senderId": "sarah", "text": .string(text), "language": "en",
        "languageSource": "client", "status": "sent", "readBy": [],
      ]
    )
    write.updateTransforms = [
      FieldTransform(FieldPath("timestamp"), .setToServerValue(.requestTime))
    ]
    _ = try await emulator.store.commit([write], in: database)
    await emulator.dispatcher.quiet()

    console.print("\(title):  \(text)")
    guard let document = emulator.store.document(write.name) else { return }
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
    explain(message: write.name.id, console)
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
      console.print("  curl 'http://\(firestore)/v1/\(database.documents)/\(path)'\(header)")
    }
    console.print("  curl http://\(functions)/providers/fcm/inbox")
    if let ui = emulator.addresses[.ui]?.reachable {
      console.print("  http://\(ui)  in a browser: two phones, every event, all documents")
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
