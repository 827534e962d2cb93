import Authentication
import Core
import FirestoreModel
import Services
import Store

/// The data of the demo: four people, two conversations, and Sarah's messages.
struct DemoData: Sendable {
  private struct Person {
    var uid: String
    var name: String
    var language: String
    var email: String { "\(uid)@example.com" }
  }

  /// A message from Sarah.
  struct Message {
    /// The text that introduces the message in the output.
    var title: String
    /// The path of the document.
    var path: String
    var text: String
  }

  private static let people = [
    Person(uid: "sarah", name: "Sarah", language: "en"),
    Person(uid: "marco", name: "Marco", language: "it"),
    Person(uid: "lea", name: "Léa", language: "fr"),
    Person(uid: "jonas", name: "Jonas", language: "de"),
  ]

  /// The password of all four. The Chat page signs in with it, too (`chat/admission.js`).
  static let password = "worldchat"

  /// The messages, in order.
  static let messages = [
    Message(
      title: "Sarah writes to Marco",
      path: "conversations/sarah-marco/messages/hello",
      text: "Hey, let's meet for coffee tomorrow!"
    ),
    Message(
      title: "Sarah writes to the group",
      path: "conversations/trip/messages/thanks",
      text: "Thank you so much!"
    ),
    Message(
      title: "Sarah writes to Marco",
      path: "conversations/sarah-marco/messages/interview",
      text: "Break a leg at your interview tomorrow!"
    ),
  ]

  private static let firstConversation = "conversations/sarah-marco"

  let database: DatabaseName
  private let store: Store
  private let accounts: AccountStore

  init(project: String, store: Store, accounts: AccountStore) {
    database = DatabaseName(project: project)
    self.store = store
    self.accounts = accounts
  }

  /// A Boolean value that indicates whether the documents have been written already.
  var isWritten: Bool {
    get throws(StatusError) { store.document(try name(Self.firstConversation)) != nil }
  }

  /// Creates the people's accounts. Existing ones stay as they are.
  ///
  /// - Returns: The email addresses that sign in with the demo's password.
  func addAccounts() async throws(StatusError) -> [String] {
    let people = Self.people.map { person in
      var account = Account(localId: person.uid)
      account.email = person.email
      account.displayName = person.name
      return account
    }
    do throws(AuthenticationError) {
      return try await accounts.addSampleAccounts(people, password: Self.password, at: .now)
    } catch {
      throw error.statusError
    }
  }

  /// Writes the people's profiles and devices, and the conversations, in one commit.
  ///
  /// - Throws: `ALREADY_EXISTS` if the demo has been written already.
  func writePeople() async throws(StatusError) {
    var writes: [Write] = []
    for person in Self.people { writes += try profile(person) }
    var first = try document(
      Self.firstConversation,
      ["type": "one-on-one", "participants": ["sarah", "marco"]]
    )
    first.currentDocument = .exists(false)
    writes.append(first)
    writes.append(
      try document(
        "conversations/trip",
        [
          "type": "group", "name": "Trip to Rome",
          "participants": ["sarah", "marco", "lea", "jonas"],
        ]
      )
    )
    _ = try await store.commit(writes, in: database)
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

  /// Writes a message as Sarah.
  ///
  /// - Returns: The name of its document.
  func write(_ message: Message) async throws(StatusError) -> DocumentName {
    var write = try document(
      message.path,
      [
        "senderId": "sarah", "text": .string(message.text), "language": "en",
        "languageSource": "client", "status": "sent", "readBy": [],
      ]
    )
    write.updateTransforms = [
      FieldTransform(FieldPath("timestamp"), .setToServerValue(.requestTime))
    ]
    _ = try await store.commit([write], in: database)
    return write.name
  }

  private func document(_ path: String, _ fields: Fields) throws(StatusError) -> Write {
    Write(.update(Document(name: try name(path), fields: fields)))
  }

  func name(_ path: String) throws(StatusError) -> DocumentName {
    try DocumentName(database: database, path: ResourcePath(path))
  }
}
