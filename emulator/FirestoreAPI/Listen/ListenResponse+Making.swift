import Core
import FirestoreModel
import FirestoreProtos
import Store

extension ProtoListenResponse {
  /// Returns a response that reports a change of targets.
  ///
  /// - Parameter targets: The numbers of the targets. An empty list means all targets of the
  ///   stream.
  static func change(
    _ type: ProtoTargetChange.TargetChangeType,
    _ targets: [Int32],
    cause: StatusError? = nil,
    token: ResumeToken? = nil,
    readTime: Timestamp? = nil
  ) -> ProtoListenResponse {
    var change = ProtoTargetChange()
    change.targetChangeType = type
    change.targetIds = targets
    if let cause { change.cause = ProtoStatus(cause) }
    if let token { change.resumeToken = token.bytes }
    if let readTime { change.readTime = readTime.proto }
    var response = ProtoListenResponse()
    response.targetChange = change
    return response
  }
}
