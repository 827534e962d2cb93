import HTTPService
import JSONCoding
import Platform

/// The shape of an FCM message, and what FCM says about one that doesn't have it.
///
/// Source: firebase.google.com/docs/reference/fcm/rest/v1/projects.messages. Members that no
/// message of ours could need (webpush's, the colours of Android's lights) are taken as they are.
enum PushSchema {
  struct Violation: Equatable {
    /// Path of the message the complaint is about, such as `message.notification`.
    var field: String
    var message: String
  }

  /// What a push may weigh: notification and data, in UTF-8.
  static let maximumBytes = 4_096

  private indirect enum Shape {
    case anything
    case string
    case strings
    case object([String: Shape])
  }

  private static let notification = Shape.object([
    "title": .string, "body": .string, "image": .string,
  ])

  private static let android = Shape.object([
    "collapseKey": .string, "priority": .string, "ttl": .string,
    "restrictedPackageName": .string, "data": .strings, "fcmOptions": .anything,
    "directBootOk": .anything, "bandwidthConstrainedOk": .anything,
    "notification": .object([
      "title": .string, "body": .string, "icon": .string, "color": .string, "sound": .string,
      "tag": .string, "clickAction": .string, "bodyLocKey": .string, "bodyLocArgs": .anything,
      "titleLocKey": .string, "titleLocArgs": .anything, "channelId": .string,
      "ticker": .string, "sticky": .anything, "eventTime": .string, "localOnly": .anything,
      "notificationPriority": .string, "defaultSound": .anything,
      "defaultVibrateTimings": .anything, "defaultLightSettings": .anything,
      "vibrateTimings": .anything, "visibility": .string, "notificationCount": .anything,
      "lightSettings": .anything, "image": .string, "bypassProxyNotification": .anything,
      "proxy": .string,
    ]),
  ])

  private static let request = Shape.object([
    "validateOnly": .anything,
    "message": .object([
      "name": .string, "data": .strings, "notification": notification, "android": android,
      "webpush": .anything, "fcmOptions": .anything,
      "apns": .object([
        "headers": .strings, "payload": .anything, "fcmOptions": .anything,
        "liveActivityToken": .string,
      ]),
      "token": .string, "topic": .string, "condition": .string,
    ]),
  ])

  /// The first thing FCM would complain about, nil if it would take the request.
  static func violation(in body: JSONValue) -> Violation? {
    if let violation = violation(in: body, shape: request, at: "") { return violation }
    guard let message = body["message"] else {
      return Violation(field: "message", message: "Request contains no message.")
    }
    let targets = ["token", "topic", "condition"].filter { message[$0] != nil }
    guard targets.count == 1 else {
      return Violation(
        field: "message",
        message:
          "Recipient of the message is not set, or more than one is: exactly one of token, topic or condition."
      )
    }
    guard targets == ["token"] else {
      return Violation(
        field: "message.\(targets[0])",
        message: "the emulator delivers to tokens only"
      )
    }
    guard message["token"]?.string?.isEmpty == false else {
      return Violation(
        field: "message.token",
        message: "The registration token is not a valid FCM registration token"
      )
    }
    return violation(inDataOf: message) ?? violation(inPayloadOf: message)
      ?? violation(inSizeOf: message)
  }

  private static func violation(
    in value: JSONValue,
    shape: Shape,
    at path: String
  ) -> Violation? {
    switch shape {
    case .anything: return nil
    case .string:
      guard value.string == nil else { return nil }
      return Violation(field: path, message: "Invalid value at '\(path)' (TYPE_STRING)")
    case .strings:
      let members = value.object ?? [:]
      for (name, member) in members.sorted(by: { $0.key < $1.key }) where member.string == nil {
        return Violation(
          field: "\(path).\(name)",
          message: "Invalid value at '\(path)[\(name)]' (TYPE_STRING)"
        )
      }
      return value.object == nil
        ? Violation(field: path, message: "Invalid value at '\(path)' (object)") : nil
    case .object(let shapes):
      guard let members = value.object else {
        return Violation(field: path, message: "Invalid value at '\(path)' (object)")
      }
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        let place = path.isEmpty ? name : "\(path).\(name)"
        guard let shape = shapes[name.camelCased] else {
          return Violation(
            field: path,
            message:
              "Invalid JSON payload received. Unknown name \(quoted(name)) at '\(path)': Cannot find field."
          )
        }
        if let violation = violation(in: member, shape: shape, at: place) { return violation }
      }
      return nil
    }
  }

  private static func violation(inDataOf message: JSONValue) -> Violation? {
    let names = (message["data"]?.object ?? [:]).keys.sorted()
    let reserved = names.first {
      $0 == "from" || $0 == "message_type" || $0.hasPrefix("google.") || $0.hasPrefix("gcm.")
    }
    return reserved.map {
      Violation(field: "message.data", message: "Invalid data payload key: \($0)")
    }
  }

  private static func violation(inPayloadOf message: JSONValue) -> Violation? {
    guard let payload = message["apns"]?["payload"] else { return nil }
    guard let aps = payload["aps"], aps.object != nil else {
      return Violation(
        field: "message.apns.payload",
        message: "apns.payload must contain an aps dictionary"
      )
    }
    if let id = message["apns"]?["headers"]?["apns-collapse-id"]?.string, id.utf8.count > 64 {
      return Violation(
        field: "message.apns.headers",
        message: "apns-collapse-id is longer than 64 bytes"
      )
    }
    return nil
  }

  private static func violation(inSizeOf message: JSONValue) -> Violation? {
    let parts = ["notification", "data"].compactMap { message[$0]?.object }
    let bytes = parts.flatMap { $0 }.reduce(0) {
      $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0)
    }
    return bytes <= maximumBytes
      ? nil : Violation(field: "message", message: "Message is too big: \(bytes) > 4096 bytes")
  }
}

extension String {
  /// JSON of protobuf takes `collapse_key` as well as `collapseKey`.
  fileprivate var camelCased: String {
    let words = split(separator: "_")
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
