import Authentication
import Core
import Cryptography
import FirestoreModel
import Store

/// The data of `--seed FILE`: a JSON object of document paths and their fields, and accounts.
struct SeedFile: Sendable {
  private struct Person {
    var account: Account
    var password: String?
  }

  /// The name of the member with the accounts. A path of a document has a slash.
  private static let accountsMember = "accounts"

  /// The name of the file in messages.
  private let name: String
  private var documents: [Document] = []
  private var people: [Person] = []

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file in messages.
  ///   - database: The database of the documents.
  /// - Throws: `INVALID_ARGUMENT`, naming the place in the file.
  init(_ name: String, at path: String, in database: DatabaseName) throws(StatusError) {
    self.name = name
    guard let data = try InputFile.read(path, what: "--seed \(name)") else {
      let meant = name.nearest(of: [Demo.name]).map { "did you mean \($0)?" }
      throw StatusError(
        .invalidArgument,
        "--seed \(name): there is no such file: "
          + (meant ?? "name a JSON file, or demo for sample data")
      )
    }
    let json = try JSON.parseSettings(data, what: name, allowsRepeatedNames: false)
    guard let members = json.object else {
      throw StatusError(
        .invalidArgument,
        "\(name) is not an object: write the fields of each document by its path, such as "
          + #"{"users/ana":{"displayName":"Ana"}}"#
      )
    }
    for (member, json) in members.sorted(by: { $0.key < $1.key }) {
      if member.string.hasSameBytes(as: Self.accountsMember) {
        people = try Self.people(json, what: "\(name): \(Self.accountsMember)")
      } else {
        documents.append(try document(at: member.string, json, in: database))
      }
    }
    // A function that a message triggers reads the conversation, so that is written first.
    documents.sort { $0.depth < $1.depth }
  }

  private func document(
    at path: String,
    _ json: JSONValue,
    in database: DatabaseName
  ) throws(StatusError) -> Document {
    let documentName: DocumentName
    do throws(StatusError) {
      documentName = try DocumentName(database: database, path: ResourcePath(path))
    } catch {
      throw StatusError(
        .invalidArgument,
        "\(name): \(quoted(path)) is not the path of a document: \(error.message)"
      )
    }
    let fields = try JSON.read(json, what: "\(name): the document \(quoted(path))") {
      try Value.plainFields(JSONValue(from: $0))
    }
    return Document(
      name: documentName,
      fields: fields.mapValues { $0.resolvingReferences(in: database) }
    )
  }

  private static func people(_ json: JSONValue, what: String) throws(StatusError) -> [Person] {
    guard let members = json.object else {
      throw StatusError(
        .invalidArgument,
        "\(what) is not an object: write each account by its uid, such as "
          + #"{"ana":{"email":"ana@example.com","password":"secret"}}"#
      )
    }
    var emails: Set<ByteKey> = []
    return try members.sorted { $0.key < $1.key }.map { uid, json throws(StatusError) in
      guard CallerIdentity.isUserID(uid.string) else {
        throw StatusError(
          .invalidArgument,
          "\(what): \(quoted(uid.string)) is not a user id: it has 1 to 128 characters"
        )
      }
      let fields = try JSON.decode(
        SeedAccount.self,
        from: json,
        what: "\(what): \(quoted(uid.string))"
      )
      var account = Account(localId: uid.string)
      account.email = fields.email?.lowercased()
      account.displayName = fields.displayName
      if let email = account.email, !emails.insert(ByteKey(email)).inserted {
        throw StatusError(.invalidArgument, "\(what): two accounts have the email \(quoted(email))")
      }
      return Person(account: account, password: fields.password)
    }
  }

  // MARK: Writing

  /// Writes the accounts and documents that don't exist yet, as a client would. The functions that
  /// the documents trigger may run longer.
  func write(
    accounts: AccountStore,
    documents store: Store,
    _ console: Console
  ) async throws(StatusError) {
    let newAccounts = try await addAccounts(to: accounts)
    let new = documents.filter { store.document($0.name) == nil }
    var rest = new[...]
    while let depth = rest.first?.depth {
      let level = rest.prefix { $0.depth == depth }
      rest = rest.dropFirst(level.count)
      try await commit(level, to: store)
    }
    var line = "\(name): \(Self.count(new.count, "document"))"
    if !people.isEmpty { line += " and \(Self.count(newAccounts, "account"))" }
    line += " written"
    let kept = [(documents.count - new.count, "document"), (people.count - newAccounts, "account")]
      .filter { $0.0 > 0 }.map { Self.count($0, $1) }
    if !kept.isEmpty { line += "; \(kept.joined(separator: " and ")) existed already" }
    console.print("\(line)\n")
  }

  /// Commits documents at once. If one is refused, the error names it.
  private func commit(
    _ documents: ArraySlice<Document>,
    to store: Store
  ) async throws(StatusError) {
    guard let first = documents.first else { return }
    do throws(StatusError) {
      _ = try await store.commit(documents.map { Write(.update($0)) }, in: first.name.database)
    } catch {
      guard documents.count > 1 else {
        throw StatusError(error.code, "\(name): \(first.name.path): \(error.message)")
      }
      for index in documents.indices { try await commit(documents[index...index], to: store) }
    }
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Adds the accounts that don't exist yet, and returns their number.
  private func addAccounts(to store: AccountStore) async throws(StatusError) -> Int {
    do throws(AuthenticationError) {
      var count = 0
      for person in people
      where try await store.addSampleAccount(person.account, password: person.password, at: .now) {
        count += 1
      }
      return count
    } catch {
      throw error.statusError
    }
  }
}

/// An account in a seed file, by the user's ID.
private struct SeedAccount: Decodable {
  var email: String?
  var password: String?
  var displayName: String?

  private enum CodingKeys: CodingKey, CaseIterable { case email, password, displayName }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    email = try container.decodeIfPresent(String.self, forKey: .email)
    password = try container.decodeIfPresent(String.self, forKey: .password)
    displayName = try container.decodeIfPresent(String.self, forKey: .displayName)
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    guard password == nil || email != nil else {
      throw decoder.refusal("a password needs an email address")
    }
    if let email, !Account.isEmail(email) {
      throw decoder.refusal("the email address \(quoted(email)) is not like name@example.com")
    }
    let length = Account.minimumPasswordLength
    if let password, password.utf16.count < length {
      throw decoder.refusal("a password has at least \(length) characters")
    }
  }
}

extension Document {
  fileprivate var depth: Int { name.path.segments.count }
}

extension Value {
  /// Returns the value with full names in place of references that are paths, such as `users/ana`.
  fileprivate func resolvingReferences(in database: DatabaseName) -> Value {
    switch self {
    case .reference(let name) where !name.hasPrefix("projects/"):
      .reference("\(database.documents)/\(name)")
    case .array(let values): .array(values.map { $0.resolvingReferences(in: database) })
    case .map(let fields): .map(fields.mapValues { $0.resolvingReferences(in: database) })
    default: self
    }
  }
}
