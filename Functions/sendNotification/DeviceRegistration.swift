import Chat
import FirestoreModel
import FunctionRuntime

/// The registration of devices' tokens by a user, as an event reports it.
///
/// A user's app writes a device's document when the user signs in on the device, and when it
/// refreshes the document later. Older apps write the token into the profile.
struct DeviceRegistration {
  /// The user who is signed in on the devices.
  let uid: String
  /// The document that contains the tokens.
  let document: DocumentName
  /// The registered devices, without duplicates.
  let devices: [Devices.Device]
  /// The time of the registration by Firestore's clock.
  let time: Timestamp

  /// The triggers whose events may report a registration.
  static let triggers: [FunctionManifest.Trigger] = [
    .init(eventType: EventType(.created), document: "users/{uid}/devices/{deviceId}"),
    .init(
      eventType: EventType(.updated),
      document: "users/{uid}/devices/{deviceId}",
      fields: deviceFields
    ),
    .init(eventType: EventType(.created), document: "users/{uid}"),
    .init(eventType: EventType(.updated), document: "users/{uid}", fields: profileFields),
  ]
  /// The fields of a device's document whose change registers its token.
  private static let deviceFields = ["fcmToken", "updatedAt"].map { FieldPath($0) }
  /// The fields of a profile that contain tokens.
  private static let profileFields = ["fcmToken", "fcmTokens"].map { FieldPath($0) }

  /// Creates the registration that an event reports.
  ///
  /// A new `updatedAt` in a device's document registers the same token again. A profile has no such
  /// field, so a change registers only the tokens that are new.
  ///
  /// - Returns: `nil` if the event's document is neither a profile nor a device.
  init?(_ event: DocumentEvent) {
    let segments = event.document.path.segments
    let isProfile = segments.count == 2
    guard segments.first == "users", isProfile || segments.count == 4 && segments[2] == "devices"
    else { return nil }
    uid = segments[1]
    document = event.document
    time = event.value?.updateTime ?? event.time
    let fields = isProfile ? Self.profileFields : Self.deviceFields
    let isChanged = event.change == .created || fields.contains(where: event.changes)
    let current = isChanged ? event.value.map { Devices(in: $0).all } ?? [] : []
    let former = isProfile ? event.oldValue.map { Devices(in: $0).all.map(\.key) } ?? [] : []
    let known = Set(former)
    devices = current.filter { !known.contains($0.key) }
  }
}

extension Devices {
  /// Creates the devices in one document, a profile or a document in `devices`.
  init(in document: Document) {
    let isProfile = document.name.path.segments.count == 2
    self.init(
      documents: isProfile ? [] : [document],
      profile: isProfile ? UserProfile(document) : nil
    )
  }
}
