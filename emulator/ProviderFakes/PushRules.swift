import Core

/// The rules that FCM applies to a message whose fields all have the right types.
enum PushRules {
  /// The recipient of a message.
  enum Target: Equatable {
    /// A registration token, or the ID of an installation.
    case device(String)
    case topic(String)
    case condition(String)
  }

  /// The maximum size of a message to a device, in bytes: its names and values in UTF-8. The
  /// maximum for a topic is half.
  private static let maximumBytes = 4_096
  private static let maximumTopicBytes = 2_048
  /// The longest time to live: four weeks.
  private static let maximumSeconds = 2_419_200.0
  private static let maximumTopics = 5

  /// Returns the message's target, or `nil` if it has none or several.
  static func target(of message: JSONValue) -> Target? {
    let targets = ["token", "fid", "topic", "condition"].compactMap { name -> Target? in
      guard let text = message[name]?.string else { return nil }
      switch name {
      case "topic": return .topic(text)
      case "condition": return .condition(text)
      default: return .device(text)
      }
    }
    return targets.count == 1 ? targets.first : nil
  }

  static let noTarget = PushViolation(
    field: "message",
    message: "Recipient of the message is not set: set exactly one of token, fid, topic, condition."
  )

  /// Returns the first error that FCM would report, or `nil` if FCM would accept the message.
  static func violation(in message: JSONValue, to target: Target) -> PushViolation? {
    violation(in: target) ?? reservedKey(in: message) ?? violation(inAndroid: message)
      ?? violation(inAPNs: message) ?? violation(inWebPush: message) ?? label(in: message)
      ?? size(of: message, to: target)
  }

  private static func violation(in target: Target) -> PushViolation? {
    switch target {
    case .device(let token):
      // Real tokens are instance IDs and signatures in URL-safe characters; tests use short ones.
      guard token.utf8.count > 4_096 || token.wholeMatch(of: /[A-Za-z0-9_:.%~=+\/-]+/) == nil else {
        return nil
      }
      return PushViolation(
        field: "",
        message: "The registration token is not a valid FCM registration token"
      )
    case .topic(let topic):
      guard topic.wholeMatch(of: /[a-zA-Z0-9\-_.~%]+/) == nil else { return nil }
      return PushViolation(field: "message.topic", message: "Malformed topic name")
    case .condition(let condition):
      guard !isCondition(condition) else { return nil }
      return PushViolation(
        field: "message.condition",
        message: "Invalid condition expression provided."
      )
    }
  }

  /// Returns a Boolean value that indicates whether the text is a condition over one to five
  /// topics, such as `'a' in topics && ('b' in topics || !('c' in topics))`.
  private static func isCondition(_ text: String) -> Bool {
    let topic = /'[a-zA-Z0-9\-_.~%]+'\s+in\s+topics/
    guard (1...maximumTopics).contains(text.matches(of: topic).count) else { return false }
    var rest = text.replacing(topic, with: "T").filter { !$0.isWhitespace }
    // Each step merges terms; a valid condition ends as a single topic.
    while true {
      let before = rest
      for term in ["(T)", "!T", "T&&T", "T||T"] { rest = rest.replacing(term, with: "T") }
      if rest == before { return rest == "T" }
    }
  }

  private static func reservedKey(in message: JSONValue) -> PushViolation? {
    for path in [["data"], ["android", "data"]] {
      let data = path.reduce(message as JSONValue?) { $0?[$1] }?.object ?? [:]
      let reserved = data.keys.sorted().map(\.string).first {
        $0 == "from" || $0 == "message_type" || $0.hasPrefix("google.") || $0.hasPrefix("gcm.")
      }
      guard let reserved else { continue }
      return PushViolation(
        field: (["message"] + path).joined(separator: "."),
        message: "Invalid data payload key: \(reserved)"
      )
    }
    return nil
  }

  private static func violation(inAndroid message: JSONValue) -> PushViolation? {
    guard let android = message["android"] else { return nil }
    if let text = android["ttl"]?.string, let seconds = text.protobufSeconds,
      !(0...maximumSeconds).contains(seconds)
    {
      return PushViolation(
        field: "message.android.ttl",
        message: "Invalid ttl: not a duration from 0 to \(Int(maximumSeconds)) seconds"
      )
    }
    let notification = android["notification"]
    if let color = notification?["color"]?.string,
      color.wholeMatch(of: /#[0-9a-fA-F]{6}/) == nil
    {
      return PushViolation(
        field: "message.android.notification.color",
        message: "Invalid color: not in the form #rrggbb"
      )
    }
    for part in ["title", "body"] {
      let arguments = notification?.member("\(part)_loc_args")?.array ?? []
      let key = notification?.member("\(part)_loc_key")?.string ?? ""
      guard arguments.isEmpty || !key.isEmpty else {
        return PushViolation(
          field: "message.android.notification.\(part)_loc_args",
          message: "\(part)_loc_args is set without \(part)_loc_key"
        )
      }
    }
    return nil
  }

  private static func violation(inAPNs message: JSONValue) -> PushViolation? {
    guard let apns = message["apns"] else { return nil }
    if let payload = apns["payload"], payload != .null, payload["aps"]?.object == nil {
      return PushViolation(
        field: "message.apns.payload",
        message: "apns.payload must contain an aps dictionary"
      )
    }
    let headers = (apns["headers"]?.object ?? [:]).compactMap { name, value in
      value.string.map { (name.string.lowercased(), $0) }
    }
    for (name, value) in headers {
      if name == "apns-collapse-id", value.utf8.count > 64 {
        return PushViolation(
          field: "message.apns.headers",
          message: "apns-collapse-id is longer than 64 bytes"
        )
      }
      if name == "apns-priority", !["1", "5", "10"].contains(value) {
        return PushViolation(
          field: "message.apns.headers",
          message: "apns-priority is not 1, 5 or 10"
        )
      }
    }
    return nil
  }

  /// Returns an error for a link that isn't https. Unlike FCM, the fake accepts a web app on this
  /// machine.
  private static func violation(inWebPush message: JSONValue) -> PushViolation? {
    guard let link = message["webpush"]?.member("fcm_options")?["link"]?.string, !link.isEmpty
    else {
      return nil
    }
    let here = /http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:\/?#].*)?/
    guard link.wholeMatch(of: /https:\/\/[^\s\/].*/) == nil, link.wholeMatch(of: here) == nil else {
      return nil
    }
    return PushViolation(
      field: "message.webpush.fcm_options.link",
      message: "Invalid link: not an HTTPS URL"
    )
  }

  private static func label(in message: JSONValue) -> PushViolation? {
    for platform in [nil, "android", "apns", "webpush"] {
      let part = platform.map { message[$0] } ?? message
      let label = part?.member("fcm_options")?.member("analytics_label")?.string
      guard let label, label.wholeMatch(of: /[a-zA-Z0-9\-_.~%]{1,50}/) == nil else { continue }
      let path = ["message", platform, "fcm_options.analytics_label"].compactMap(\.self)
      return PushViolation(
        field: path.joined(separator: "."),
        message: "Invalid analytics label: not of the form ^[a-zA-Z0-9-_.~%]{1,50}$"
      )
    }
    return nil
  }

  private static func size(of message: JSONValue, to target: Target) -> PushViolation? {
    let maximum: Int
    if case .device = target { maximum = maximumBytes } else { maximum = maximumTopicBytes }
    let common = bytes(message["notification"]) + bytes(message["data"])
    let android = message["android"]
    if common + bytes(android?["notification"]) + bytes(android?["data"]) > maximum {
      return PushViolation(field: "", message: "Android message is too big")
    }
    // Apple receives the payload, which includes the common title and body.
    if common + bytes(message["apns"]?["payload"]) > maximum {
      return PushViolation(field: "", message: "APNs message is too big")
    }
    let web = message["webpush"]
    if common + bytes(web?["notification"]) + bytes(web?["data"]) > maximum {
      return PushViolation(field: "", message: "Web message is too big")
    }
    return nil
  }

  /// Returns the size of the names and values in a part of a message, in bytes.
  private static func bytes(_ value: JSONValue?) -> Int {
    switch value {
    case .object(let members)?:
      members.reduce(0) { $0 + $1.key.utf8.count + bytes($1.value) }
    case .array(let values)?: values.reduce(0) { $0 + bytes($1) }
    case .string(let text)?: text.utf8.count
    case .integer(let number)?: "\(number)".utf8.count
    case .number(let number)?: "\(number)".utf8.count
    case .boolean?: 1
    case .null?, nil: 0
    }
  }
}

extension JSONValue {
  /// Returns the field with a name from the `.proto` file, or with the name's camel-case form.
  func member(_ name: String) -> JSONValue? { self[name] ?? self[name.camelCased] }
}
