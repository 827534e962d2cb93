import Doubles
package import FirestoreModel
package import HTTPService
import Platform
package import RPCStatus

/// A service whose answers to recorded invocations are written down.
package struct ObservedService: HTTPMiddleware {
  package let service: any HTTPService
  private let tap: RecordingTap
  private let document: @Sendable (DocumentName) -> Document?

  /// - Parameter document: finds a document as it is now.
  package init(
    _ service: any HTTPService,
    tap: RecordingTap,
    document: @escaping @Sendable (DocumentName) -> Document?
  ) {
    self.service = service
    self.tap = tap
    self.document = document
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let traceparent = request.headers["traceparent"], tap.isRecorded(traceparent) else {
      return try await service.respond(to: request)
    }
    let response: ServiceResponse
    do throws(StatusError) {
      response = try await service.respond(to: request).collected()
    } catch {
      response = .error(error)
    }
    if request.path.first == "providers" {
      var request = request
      request.path.removeFirst()
      let exchange = ProviderExchange(
        request: .init(request),
        response: .init(response)
      )
      tap.change(traceparent) { $0.exchange(exchange) }
    } else if response.status != 200, let commit = FirestoreCommit(request) {
      // What made it fail is what somebody else has just done.
      let found = commit.names.map { ($0, document($0)) }
      tap.change(traceparent) { recording in
        for (name, document) in found { recording.meet(name, document, by: .commit) }
      }
    } else if let read = FirestoreRead(request) {
      switch read.documents(in: response) {
      case .success(let documents):
        tap.change(traceparent) { recording in
          for (name, document) in documents { recording.meet(name, document) }
        }
      case .failure(let error): tap.change(traceparent) { $0.note(flaw: error.message) }
      }
    }
    return response
  }
}
