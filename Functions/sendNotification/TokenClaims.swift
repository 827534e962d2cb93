import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging

/// The claims of a registration to its devices' tokens.
///
/// A token belongs to the user who registered it last, and is removed from the documents of the
/// user before. So nobody's phone shows the messages of a user who was signed in on it earlier.
/// Events may be repeated and arrive in any order; the times of the registrations decide.
struct TokenClaims {
  let session: ChatSession
  private var firestore: FirestoreClient { session.firestore }

  struct Report: Encodable {
    /// The number of tokens that belong to the user now.
    var owned = 0
    /// The number of tokens among them that were taken from another user.
    var taken = 0
    /// The number of tokens that another user registered later.
    var lost = 0
  }

  /// The maximum number of tokens that one document may register.
  private static let maximumTokens = 20
  /// The maximum number of a former owner's documents to change in one commit.
  private static let maximumDocuments = 400

  func follow(_ registration: DeviceRegistration) async throws -> FunctionOutcome {
    var report = Report()
    for device in registration.devices.prefix(Self.maximumTokens) {
      try await claim(device, by: registration, &report)
    }
    session.context.logger.info(
      "registered devices' tokens",
      metadata: ["taken": "\(report.taken)", "lost": "\(report.lost)"]
    )
    return .done(report)
  }

  /// A step towards the token's owner.
  private struct Step {
    var writes: [Write] = []
    /// A Boolean value that indicates whether the writes are the last ones.
    var isLast = true
    var report: Report
  }

  private func claim(
    _ device: Devices.Device,
    by registration: DeviceRegistration,
    _ report: inout Report
  ) async throws(StatusError) {
    for attempt in 0..<MessageNotification.maximumConflicts where session.context.deadline > .now {
      let step = try await step(device, registration, report)
      do throws(StatusError) {
        if !step.writes.isEmpty { try await firestore.commit(step.writes) }
        guard !step.isLast else {
          report = step.report
          return
        }
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    throw StatusError(.aborted, "the documents of a device's token kept changing")
  }

  private func step(
    _ device: Devices.Device,
    _ registration: DeviceRegistration,
    _ report: Report
  ) async throws(StatusError) -> Step {
    let name = try firestore.name(TokenOwner.path(of: device))
    let snapshot = try await firestore.snapshot([name, registration.document])
    let registered = snapshot[registration.document]
    let held = registered.flatMap { document in
      Devices(in: document).all.first { $0.key == device.key }
    }
    let unchanged = snapshot.precondition(of: name)
    var step = Step(report: report)
    let owner = TokenOwner(snapshot[name])
    if let owner, owner.isLater(than: registration) {
      guard !owner.isUser(registration.uid) else {
        step.report.owned += 1
        return step
      }
      step.report.lost += 1
      let removals = held?.removals(before: owner.since) ?? []
      if !removals.isEmpty {
        step.writes = [Write(.verify(name), currentDocument: unchanged)] + removals
      }
      return step
    }
    var restoration: Write?
    if let registered, held == nil, owner?.isUser(registration.uid) == false,
      registered.updateTime == snapshot[name]?.updateTime
    {
      restoration = device.restoration(in: registered)
    }
    let isHeld = held != nil || restoration != nil
    // A registration that was withdrawn, such as of a deleted user, needs no document.
    guard owner != nil || isHeld else { return step }
    if isHeld { step.report.owned += 1 }
    if let former = owner?.uid, owner?.isUser(registration.uid) == false {
      step.report.taken += 1
      (step.writes, step.isLast) = try await removals(of: device, from: former, registration)
    }
    guard step.isLast else { return step }
    step.writes.append(
      TokenOwner(after: registration, isHeld: isHeld).write(name, since: unchanged)
    )
    // Otherwise a user whose data is deleted meanwhile would stay the owner.
    if isHeld {
      var write = restoration ?? Write(.verify(registration.document))
      write.currentDocument = snapshot.precondition(of: registration.document)
      step.writes.append(write)
    }
    return step
  }

  /// Returns the writes that remove a token from a former owner's documents, and whether they are
  /// all.
  private func removals(
    of device: Devices.Device,
    from uid: String,
    _ registration: DeviceRegistration
  ) async throws(StatusError) -> ([Write], Bool) {
    let user = try session.userName(uid)
    var query = StructuredQuery(
      from: "devices",
      where: .field(FieldPath("fcmToken"), .equal, .string(device.token))
    )
    query.limit = Self.maximumDocuments
    let documents = try await firestore.run(query, below: user)
    let profile = try await firestore.document(user).map(UserProfile.init)
    let held = Devices(documents: documents, profile: profile).all.first { $0.key == device.key }
    let removals = held?.removals(before: registration.time) ?? []
    let isAll = documents.count < Self.maximumDocuments || removals.isEmpty
    return (removals, isAll)
  }
}

extension Devices.Device {
  /// The writes that delete this token, except from devices' documents with a later registration than
  /// another user's.
  ///
  /// The event of such a registration decides. Its time is `updatedAt`, because an app may write other
  /// fields at any time; without `updatedAt` it is the document's time. A profile's time says nothing,
  /// because profiles are also written for other reasons. A later registration on a former owner's
  /// profile is therefore removed, too, and its own event restores it.
  fileprivate func removals(before time: Timestamp) -> [Write] {
    var earlier = self
    earlier.documents.removeAll { document in
      guard let written = document.updateTime else { return true }
      return min(document.fields["updatedAt"]?.timestampValue ?? written, written) > time
    }
    return earlier.removals
  }

  /// Returns the write that restores this token in the profile that registered it, or `nil` if a
  /// document in `devices` did.
  ///
  /// Only a claim that takes a token from a former owner's profile writes the profile and the
  /// token's owner in one commit, at the same time. If either was written after this, the user may
  /// have withdrawn the token meanwhile. It then stays removed until the next registration.
  fileprivate func restoration(in current: Document) -> Write? {
    guard let profile else { return nil }
    // An app withdraws the token from the field that it wrote.
    let isSingle =
      profile.fields["fcmToken"] == .string(token) && current.fields["fcmToken"] == nil
    return Write(
      .update(Document(name: current.name, fields: isSingle ? ["fcmToken": .string(token)] : [:])),
      updateMask: FieldMask(isSingle ? [FieldPath("fcmToken")] : []),
      updateTransforms: isSingle
        ? [] : [FieldTransform(FieldPath("fcmTokens"), .appendMissingElements([.string(token)]))]
    )
  }
}
