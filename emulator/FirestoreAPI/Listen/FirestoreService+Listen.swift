package import Core
package import FirestoreProtos

extension FirestoreService {
  /// Runs a Listen stream until its client ends the stream or an error occurs.
  ///
  /// - Parameters:
  ///   - requests: The client's requests. They are handled even if the client doesn't read its
  ///     responses.
  ///   - respond: A closure that sends a portion of responses, and returns when it can send the
  ///     next portion.
  package func listen<Requests: AsyncSequence<ProtoListenRequest, StatusError> & Sendable>(
    _ requests: Requests,
    _ context: RequestContext,
    respond:
      @escaping @Sendable ([ListenPortion]) async throws(StatusError) -> Void
  ) async throws(StatusError) {
    let session = ListenSession(self, context)
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

  /// Sends heartbeats to the client, so that its resume token stays recent.
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
