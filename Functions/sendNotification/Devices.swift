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
  /// The devices' indices in `all` by key.
  private var indices: [String: Int] = [:]

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
    guard let index = indices[device.key] else {
      indices[device.key] = all.count
      all.append(device)
      return
    }
    all[index].documents += device.documents
    all[index].profile = all[index].profile ?? device.profile
  }
}

extension Devices {
  /// Returns the users to whose devices a message's pushes go, by the devices' keys.
  ///
  /// Of two recipients with the same token, it is the one whose document in `devices` was written
  /// last. A token on a profile counts as older, because its time isn't known. Among equals it is
  /// the user whose id sorts first.
  static func owners(of recipients: [RecipientState]) -> [String: String] {
    var owners: [String: (uid: String, time: Timestamp?)] = [:]
    for recipient in recipients.sorted(by: { $0.uid < $1.uid }) {
      for device in recipient.devices.all {
        let time = device.documents.compactMap(\.updateTime).max()
        if let owner = owners[device.key] {
          guard let time, owner.time.map({ $0 < time }) ?? true else { continue }
        }
        owners[device.key] = (recipient.uid, time)
      }
    }
    return owners.mapValues(\.uid)
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
