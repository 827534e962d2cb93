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
    heartbeats.add(session)
    defer {
      heartbeats.remove(session)
      session.close()
    }
    let result = await withTaskGroup(of: Void.self, returning: Result<Void, StatusError>.self) {
      group in
      group.addTask { await session.receive(all: requests) }
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
