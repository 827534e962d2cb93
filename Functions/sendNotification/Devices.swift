import Chat
import Core
import FirestoreModel

/// A user's devices: the FCM tokens in the user's profile and `devices` collection.
struct Devices {
  /// A token, and the documents that contain it.
  struct Device {
    let token: String
    /// The token's hash, which has the same length for every token.
    let key: String
    /// The documents in `devices` that contain the token.
    var documents: [Document] = []
    /// The profile, or `nil` if it doesn't contain the token.
    var profile: Document?

    init(token: String, documents: [Document] = [], profile: Document? = nil) {
      self.token = token
      key = ContentHash.token(token)
      self.documents = documents
      self.profile = profile
    }
  }

  /// The maximum length of a token in bytes.
  ///
  /// FCM's tokens have about 200 bytes, but any client can write a longer one.
  private static let longestToken = 4_096

  /// The devices, without duplicates: several documents may contain the same token.
  private(set) var all: [Device] = []

  init(documents: [Document], profile: UserProfile?) {
    for document in documents {
      guard let token = document.fields["fcmToken"]?.deviceToken else { continue }
      add(Device(token: token, documents: [document]))
    }
    for token in profile?.tokens ?? [] {
      add(Device(token: token, profile: profile?.document))
    }
  }

  private mutating func add(_ device: Device) {
    guard device.token.utf8.count <= Self.longestToken else { return }
    guard let index = all.firstIndex(where: { $0.key == device.key }) else {
      all.append(device)
      return
    }
    all[index].documents += device.documents
    all[index].profile = all[index].profile ?? device.profile
  }
}

extension Devices.Device {
  /// The writes that delete this token, to be committed one by one.
  ///
  /// Each write has a precondition: a document that changed since it was read may contain a newer
  /// token.
  var removals: [Write] {
    var writes: [Write] = []
    for document in documents {
      guard let updateTime = document.updateTime else { continue }
      writes.append(Write(.delete(document.name), currentDocument: .updateTime(updateTime)))
    }
    if let profile, let updateTime = profile.updateTime {
      let isSingle = profile.fields["fcmToken"] == .string(token)
      writes.append(
        Write(
          .update(Document(name: profile.name, fields: [:])),
          updateMask: FieldMask(isSingle ? [FieldPath("fcmToken")] : []),
          updateTransforms: profile.fields["fcmTokens"] == nil
            ? []
            : [FieldTransform(FieldPath("fcmTokens"), .removeAllFromArray([.string(token)]))],
          currentDocument: .updateTime(updateTime)
        )
      )
    }
    return writes
  }
}
