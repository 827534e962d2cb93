import Core
import Store

/// Accounts by ID, with indexes of their email addresses, phone numbers and linked providers.
struct AccountTable: Sendable {
  /// An account at a provider.
  private struct ProviderKey: Hashable {
    var provider: ByteKey
    var rawId: ByteKey
  }

  private var accounts: [ByteKey: Account] = [:]
  private var idsByEmail: [ByteKey: ByteKey] = [:]
  private var idsByPhoneNumber: [ByteKey: ByteKey] = [:]
  private var idsByProvider: [ProviderKey: ByteKey] = [:]
  private var order = SortedKeys()

  var count: Int { accounts.count }

  subscript(id: String) -> Account? { accounts[id] }

  func id(ofEmail email: String) -> ByteKey? { idsByEmail[email] }

  func id(ofPhoneNumber number: String) -> ByteKey? { idsByPhoneNumber[number] }

  func id(ofProvider provider: String, rawId: String) -> ByteKey? {
    idsByProvider[ProviderKey(provider: ByteKey(provider), rawId: ByteKey(rawId))]
  }

  /// Returns the accounts in the order of their IDs.
  ///
  /// - Parameters:
  ///   - id: The ID before the first account, or `nil` to begin with the first one.
  ///   - count: The maximum number of accounts.
  func accounts(after id: String?, atMost count: Int) -> [Account] {
    order.keys(after: id.map { ByteKey($0) }, atMost: count).compactMap { accounts[$0] }
  }

  /// Adds an account, or replaces the one with the same ID.
  mutating func set(_ account: Account) {
    let id = ByteKey(account.localId)
    if let old = accounts.updateValue(account, forKey: id) {
      removeFromIndexes(old, id)
    } else {
      order.insert(id)
    }
    if let email = account.email { idsByEmail[email] = id }
    if let number = account.phoneNumber { idsByPhoneNumber[number] = id }
    for key in Self.providerKeys(of: account) { idsByProvider[key] = id }
  }

  mutating func remove(_ id: String) {
    let id = ByteKey(id)
    guard let old = accounts.removeValue(forKey: id) else { return }
    removeFromIndexes(old, id)
    order.remove(id)
  }

  private mutating func removeFromIndexes(_ account: Account, _ id: ByteKey) {
    // An entry may already belong to another account that got the address or number.
    if let email = account.email, idsByEmail[email] == id { idsByEmail[email] = nil }
    if let number = account.phoneNumber, idsByPhoneNumber[number] == id {
      idsByPhoneNumber[number] = nil
    }
    for key in Self.providerKeys(of: account) where idsByProvider[key] == id {
      idsByProvider[key] = nil
    }
  }

  private static func providerKeys(of account: Account) -> [ProviderKey] {
    account.providers.map {
      ProviderKey(provider: ByteKey($0.providerId), rawId: ByteKey($0.rawId))
    }
  }
}
