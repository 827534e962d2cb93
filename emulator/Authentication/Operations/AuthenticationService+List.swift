import Core

/// The list of accounts for the emulator's page. Firebase has no such operation.
extension AuthenticationService {
  private static let pageSizes: ClosedRange<Int64> = 1...1_000
  /// The maximum length of a text to search for, in UTF-8 bytes.
  private static let maximumSearchBytes = 1_000
  /// The number of accounts that are searched at a time, while others wait.
  private static let chunkSize = 2_000

  /// Returns one page of the accounts that contain a text, in the order of their IDs, and the number
  /// of all accounts.
  func listAccounts(_ request: AuthenticationRequest) throws(AuthenticationError) -> JSONObject {
    let fields = request.fields
    let size = try fields.integer("pageSize") ?? 50
    guard Self.pageSizes.contains(size) else {
      throw .invalidPayload("/pageSize must be from 1 to \(Self.pageSizes.upperBound)")
    }
    let text = try fields.text("search") ?? ""
    guard text.utf8.count <= Self.maximumSearchBytes else {
      throw .invalidPayload("/search must have at most \(Self.maximumSearchBytes) bytes")
    }
    let found = accounts(
      containing: SearchText(text),
      after: try fields.text("pageToken"),
      atMost: Int(size) + 1
    )
    let page = found.prefix(Int(size))
    var body: JSONObject = [
      "users": .array(page.map(\.json)), "total": .string(String(store.count)),
    ]
    if found.count > page.count {
      body["nextPageToken"] = page.last.map { .string($0.localId) }
    }
    return body
  }

  /// Returns the first accounts after an ID that contain a text.
  private func accounts(
    containing text: SearchText,
    after start: String?,
    atMost count: Int
  ) -> [Account] {
    guard !text.isEmpty else { return store.accounts(after: start, atMost: count) }
    var (found, last): ([Account], String?) = ([], start)
    while found.count < count {
      let chunk = store.accounts(after: last, atMost: Self.chunkSize)
      for account in chunk where found.count < count && text.isIn(account) {
        found.append(account)
      }
      guard chunk.count == Self.chunkSize else { break }
      last = chunk.last?.localId
    }
    return found
  }
}
