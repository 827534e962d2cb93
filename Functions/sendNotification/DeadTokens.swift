import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

extension ChatSession {
  /// Forgets the tokens that FCM doesn't take any more, each with a commit of its own. A document that
  /// changed meanwhile holds a newer token: then there is nothing to forget.
  func forgetDeadTokens(_ results: [RecipientResult]) async {
    let removals = results.flatMap(\.removals)
    guard !removals.isEmpty else { return }
    for write in removals {
      do throws(StatusError) {
        try await firestore.commit([write])
      } catch {
        context.logger.notice(
          "a dead token was not removed",
          metadata: ["code": "\(error.code.rawValue)"]
        )
      }
    }
    let reasons = Dictionary(results.flatMap(\.deadTokens).map { ($0, 1) }, uniquingKeysWith: +)
    context.logger.notice(
      "tokens that FCM doesn't take are forgotten",
      metadata: Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, "\($0.value)") })
    )
  }
}
