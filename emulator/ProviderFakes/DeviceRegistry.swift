import Core

/// The device tokens that the FCM fake accepts.
///
/// Until the first registration every well-formed token is accepted, because tokens come from
/// documents that people and tests write. After the first registration only registered tokens are
/// accepted.
struct DeviceRegistry {
  private var registered: Set<String> = []
  private var unregistered: Set<String> = []
  private var isStrict = false

  func contains(_ token: String) -> Bool {
    !unregistered.contains(token) && (!isStrict || registered.contains(token))
  }

  /// Registers devices on which the app is installed. From now on only registered devices are
  /// accepted.
  mutating func register(_ tokens: [String]) {
    isStrict = true
    registered.formUnion(tokens)
    unregistered.subtract(tokens)
  }

  /// Unregisters a device from which the app was uninstalled.
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
