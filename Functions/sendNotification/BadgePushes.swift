import Chat
import Core
import FirestoreClient
import FirestoreModel
import Providers

/// Tells readers' phones, silently, how many messages are unread.
///
/// The number is absolute: to tell it twice does no harm, so nothing is kept of whom was told. All of
/// a reader's phones are told, since a receipt doesn't say on which of them a message was read.
struct BadgePushes {
  /// How many readers are told at once.
  private static let maximumReaders = 50
  /// How often a number is told anew because it changed while it was told.
  private static let maximumRounds = 5

  let session: ChatSession
  let push: PushClient

  /// - Parameters:
  ///   - counts: of those who are to be told, as they are kept by now.
  ///   - conversationID: the conversation in which something changed.
  /// - Returns: by reader what became of it.
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

  /// Another conversation may change, and be told of, at the same time: whoever tells last must have
  /// looked last, so that after telling it is looked again.
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
