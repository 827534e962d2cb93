import Core

/// The devices FCM knows.
///
/// As long as nobody has registered one, every well-formed token is taken for a device's: tokens come
/// from documents that people and tests have written. From the first registration on only those that
/// were registered are known.
struct DeviceRegistry {
  private var registered: Set<String> = []
  private var unregistered: Set<String> = []
  private var isStrict = false

  func contains(_ token: String) -> Bool {
    !unregistered.contains(token) && (!isStrict || registered.contains(token))
  }

  /// The app is installed there.
  mutating func register(_ tokens: [String]) {
    isStrict = true
    registered.formUnion(tokens)
    unregistered.subtract(tokens)
  }

  /// The app was uninstalled there.
  mutating func unregister(_ token: String) {
    registered.remove(token)
    unregistered.insert(token)
  }

  var json: JSONValue {
    .object([
      "strict": .boolean(isStrict),
      "registered": .array(registered.sorted().map(JSONValue.string)),
      "unregistered": .array(unregistered.sorted().map(JSONValue.string)),
    ])
  }
}
