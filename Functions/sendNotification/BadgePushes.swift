import Chat
import Core
import FirestoreClient
import FirestoreModel
import Providers

/// Silent pushes that set the number of unread messages on readers' app icons.
///
/// The number is absolute, so these pushes are idempotent and need no ledger. They go to all of a
/// reader's devices, because a receipt doesn't show on which device a message was read.
struct BadgePushes {
  /// The maximum number of readers to notify at the same time.
  private static let maximumReaders = 50
  /// The maximum number of rounds of pushes to a reader whose number keeps changing.
  private static let maximumRounds = 5

  let session: ChatSession
  let push: PushClient

  /// Sends the number of unread messages to the devices of several readers.
  ///
  /// - Parameters:
  ///   - counts: the readers' counts, as they are stored now.
  ///   - conversationID: the conversation that changed.
  /// - Returns: The result for each reader.
  func tell(
    _ counts: [InboxCount],
    of conversationID: String,
    profiles: [String: UserProfile],
    until deadline: ContinuousClock.Instant
  ) async throws(StatusError) -> [RecipientResult] {
    try await counts.concurrently(atMost: Self.maximumReaders) { count throws(StatusError) in
      try await tell(count, of: conversationID, profile: profiles[count.uid], until: deadline)
    }
  }

  /// Sends the number of unread messages to one reader's devices.
  ///
  /// Another delivery may send a number at the same time because another conversation changed. The
  /// last push must carry the latest number, so the number is read again after each round.
  private func tell(
    _ count: InboxCount,
    of conversationID: String,
    profile: UserProfile?,
    until deadline: ContinuousClock.Instant
  ) async throws(StatusError) -> RecipientResult {
    let user = try session.userName(count.uid)
    var devices = Devices(
      documents: try await session.firestore.run(StructuredQuery(from: "devices"), below: user),
      profile: profile
    ).all
    var result = RecipientResult(report: .init(uid: count.uid, unread: count.unread))
    var told: Int?
    for _ in 0..<Self.maximumRounds where !devices.isEmpty {
      let inbox = try await session.firestore.run(InboxCount.unread, below: user)
      let badge = inbox.badge
      if told == badge { break }
      told = badge
      (result.report.sent, result.report.failed, result.failures) = (0, 0, [])
      let outcomes = await send(badge, of: conversationID, to: devices, until: deadline)
      var alive: [Devices.Device] = []
      for (device, outcome) in zip(devices, outcomes) {
        result.add(outcome, of: device)
        if case .success(.dead) = outcome { continue }
        alive.append(device)
      }
      devices = alive
    }
    result.report.badge = told
    if told == nil { result.report.reason = "no device" }
    return result
  }

  private func send(
    _ badge: Int,
    of conversationID: String,
    to devices: [Devices.Device],
    until deadline: ContinuousClock.Instant
  ) async -> [PushOutcome] {
    await devices.map(\.token).concurrently(atMost: Pushes.partSize) { token in
      let message = BadgeMessage(token: token, badge: badge, conversationID: conversationID)
      do throws(StatusError) {
        return .success(try await push.send(message, deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
  }
}
