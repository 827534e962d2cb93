package import Core
package import FirestoreProtos
package import GRPC

extension FirestoreService {
  /// Runs a Listen stream until its client has said its last, or it fails.
  ///
  /// - Parameters:
  ///   - requests: what the client sends; it is read even while nobody reads the responses.
  ///   - respond: takes portions, each when the one before is dealt with.
  package func listen<Requests: AsyncSequence<ProtoListenRequest, StatusError> & Sendable>(
    _ requests: Requests,
    _ context: RequestContext,
    respond:
      @escaping @Sendable ([FramedMessages<ProtoListenResponse>]) async throws(StatusError) -> Void
  ) async throws(StatusError) {
    let session = ListenSession(self)
    defer { session.close() }
    let result = await withTaskGroup(of: Void.self, returning: Result<Void, StatusError>.self) {
      group in
      group.addTask { await session.receive(all: requests) }
      group.addTask { await sendHeartbeat(session) }
      defer { group.cancelAll() }
      do throws(StatusError) {
        var responses = ListenResponses(of: session)
        while let portion = try await responses.next() { try await respond(portion) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Tells the client now and then that nothing happened: the token it resumes with stays young.
  private func sendHeartbeat(_ session: ListenSession) async {
    while (try? await Task.sleep(for: heartbeatInterval)) != nil { session.sendHeartbeat() }
  }
}

extension ListenSession {
  fileprivate func receive(
    all requests: some AsyncSequence<ProtoListenRequest, StatusError> & Sendable
  ) async {
    do throws(StatusError) {
      for try await request in requests { receive(request) }
      end()
    } catch {
      end(error)
    }
  }
}
