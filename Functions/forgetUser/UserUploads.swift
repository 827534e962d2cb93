import Core
import Providers
import Synchronization

/// The avatars and media that a user has uploaded to Cloud Storage.
final class UserUploads: Sendable {
  /// The name of the custom metadata with the ID of the user who uploaded an object. The bucket's
  /// rules require it.
  private static let uploader: ByteKey = "uploader"

  private let uid: String
  private let client: CloudStorageClient?
  /// The number of objects deleted, and the conversations whose media are deleted.
  private let state = Mutex((count: 0, conversations: Set<ByteKey>()))

  /// - Parameter client: The client of the bucket, or `nil` if there is none.
  init(of uid: String, in client: CloudStorageClient?) {
    self.uid = uid
    self.client = client
  }

  /// Deletes the media that the user has uploaded to conversations. A conversation is searched once.
  func deleteMedia(in conversations: [String]) async throws(StatusError) {
    guard let client else { return }
    for conversation in conversations {
      let key = ByteKey(conversation)
      guard !state.withLock({ $0.conversations.contains(key) }) else { continue }
      let uid = uid
      let count = try await client.deleteObjects(prefix: "conversations/\(conversation)/media/") {
        $0.metadata[Self.uploader]?.string?.hasSameBytes(as: uid) == true
      }
      state.withLock { state in
        state.count += count
        state.conversations.insert(key)
      }
    }
  }

  /// Deletes the user's avatars.
  ///
  /// - Returns: The number of all objects that were deleted so far, or `nil` without a bucket.
  func deleteAvatars() async throws(StatusError) -> Int? {
    guard let client else { return nil }
    let count = try await client.deleteObjects(prefix: "avatars/\(uid)/")
    return state.withLock { state in
      state.count += count
      return state.count
    }
  }
}
