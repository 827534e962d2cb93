import Core
import Providers
import Synchronization

/// The avatars and media that a user has uploaded to Cloud Storage.
final class UserUploads: Sendable {
  /// The name of the custom metadata with the ID of the user who uploaded an object. The bucket's
  /// rules require it.
  private static let uploader: ByteKey = "uploader"

  private let uid: String
  private let clients: [CloudStorageClient]
  /// The number of objects deleted, and the conversations whose media are deleted.
  private let state = Mutex((count: 0, conversations: Set<ByteKey>()))

  /// - Parameter clients: The clients of the buckets; none if there is no bucket.
  init(of uid: String, in clients: [CloudStorageClient]) {
    self.uid = uid
    self.clients = clients
  }

  /// Deletes the media that the user has uploaded to conversations. A conversation is searched once.
  func deleteMedia(in conversations: [String]) async throws(StatusError) {
    guard !clients.isEmpty else { return }
    for conversation in conversations {
      let key = ByteKey(conversation)
      guard !state.withLock({ $0.conversations.contains(key) }) else { continue }
      let uid = uid
      try await delete(below: "conversations/\(conversation)/media/") {
        $0.metadata[Self.uploader]?.string?.hasSameBytes(as: uid) == true
      }
      state.withLock { _ = $0.conversations.insert(key) }
    }
  }

  /// Deletes the user's avatars.
  ///
  /// - Returns: The number of all objects that were deleted so far, or `nil` without a bucket.
  func deleteAvatars() async throws(StatusError) -> Int? {
    guard !clients.isEmpty else { return nil }
    try await delete(below: "avatars/\(uid)/") { _ in true }
    return state.withLock(\.count)
  }

  private func delete(
    below prefix: String,
    where isDeleted: (CloudStorageClient.Object) -> Bool
  ) async throws(StatusError) {
    for client in clients {
      let count = try await client.deleteObjects(prefix: prefix, where: isDeleted)
      state.withLock { $0.count += count }
    }
  }
}
