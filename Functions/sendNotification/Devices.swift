import Chat
import Core
import FirestoreModel

/// Where a user can be reached, and how to forget a place that is gone.
struct Devices {
  /// One token, with the documents it was found in.
  struct Device {
    let token: String
    /// Stands for the token: it is as long for every one.
    let key: String
    /// The documents in `devices` that hold it.
    var documents: [Document] = []
    /// The profile, if it came from there.
    var profile: Document?

    init(token: String, documents: [Document] = [], profile: Document? = nil) {
      self.token = token
      key = ContentHash.token(token)
      self.documents = documents
      self.profile = profile
    }
  }

  /// In bytes. FCM's have some two hundred; anybody may write another.
  private static let longestToken = 4_096

  /// Each token once: it may stand in several places.
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
  /// The writes that forget this token, each a commit of its own: a document that changed since
  /// it was read may hold a newer token and stays.
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
