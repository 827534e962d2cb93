import Chat
import Core
import FirestoreModel

/// The owner of a device's token, `deviceTokens/{hash of the token}`: the user who registered it
/// last.
///
/// Only functions read and write these documents.
struct TokenOwner {
  /// The owner, or `nil` if the last registration was withdrawn before its event was handled.
  ///
  /// The token then belongs to nobody, and earlier registrations still don't count.
  let uid: String?
  /// The time of the last registration by Firestore's clock.
  let since: Timestamp

  /// The time after a registration until its document expires.
  ///
  /// FCM calls a token of an Android device expired after so long without use. Without an owner, a
  /// token belongs to whoever holds it. An expired document counts until Firestore deletes it,
  /// because a new registration still has to take the token from the former owner.
  ///
  /// Source: Firebase's documentation, "Manage registration tokens".
  private static let lifetime = Duration.seconds(270 * 86_400)

  /// Returns the path of the document of a token's owner.
  static func path(of device: Devices.Device) -> String { "deviceTokens/\(device.key)" }

  /// Creates the owner after a registration.
  ///
  /// - Parameter isHeld: whether the registered document still contains the token.
  init(after registration: DeviceRegistration, isHeld: Bool) {
    uid = isHeld ? registration.uid : nil
    since = registration.time
  }

  /// Decodes the owner, or returns `nil` if the document doesn't exist or is invalid.
  init?(_ document: Document?) {
    guard let since = document?.fields["since"]?.timestampValue else { return nil }
    self.since = since
    uid = document?.fields["uid"]?.userID
  }

  /// Returns whether a user is the owner.
  func isUser(_ other: String) -> Bool { uid?.hasSameBytes(as: other) == true }

  /// Returns whether the owner registered the token later than, or by, a given registration.
  ///
  /// Of two users who registered it in one commit, the one with the greater id is the later.
  func isLater(than registration: DeviceRegistration) -> Bool {
    guard since == registration.time, let uid else { return since >= registration.time }
    return ByteKey(uid) >= ByteKey(registration.uid)
  }

  /// Returns the write that stores the owner.
  func write(_ name: DocumentName, since precondition: Precondition) -> Write {
    var fields: Fields = [
      "since": .timestamp(since), "expiresAt": .timestamp(since.advanced(by: Self.lifetime)),
    ]
    if let uid { fields["uid"] = .string(uid) }
    return Write(.update(Document(name: name, fields: fields)), currentDocument: precondition)
  }
}
