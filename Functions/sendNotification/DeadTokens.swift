import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

extension ChatSession {
  /// Deletes the tokens that FCM no longer accepts, each in its own commit.
  ///
  /// A document that changed meanwhile has a newer token, so it stays unchanged.
  func forgetDeadTokens(_ results: [RecipientResult]) async {
    let removals = results.flatMap(\.removals)
    guard !removals.isEmpty else { return }
    for write in removals {
      do throws(StatusError) {
        try await firestore.commit([write])
      } catch {
        context.logger.notice(
          "deleting a dead token failed",
          metadata: ["code": "\(error.code.rawValue)"]
        )
      }
    }
    let reasons = Dictionary(results.flatMap(\.deadTokens).map { ($0, 1) }, uniquingKeysWith: +)
    context.logger.notice(
      "deleted tokens that FCM no longer accepts",
      metadata: Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, "\($0.value)") })
    )
  }
}
