package import Core
package import FirestoreModel
package import HTTPService
import ProviderFakes

/// The middleware that records a service's responses to recorded invocations: documents and
/// exchanges with providers.
///
/// A response is recorded completely before its first byte is sent, because the function may exit
/// as soon as it has the response.
package struct RecordingMiddleware: HTTPMiddleware {
  package let service: any HTTPService
  private let recorder: InvocationRecorder
  private let document: @Sendable (DocumentName) -> Document?

  /// Creates the middleware of a service.
  ///
  /// - Parameter document: returns the current state of a document.
  package init(
    _ service: any HTTPService,
    recorder: InvocationRecorder,
    document: @escaping @Sendable (DocumentName) -> Document?
  ) {
    self.service = service
    self.recorder = recorder
    self.document = document
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let traceparent = request.headers["traceparent"], recorder.isRecorded(traceparent) else {
      return try await service.respond(to: request)
    }
    let response: ServiceResponse
    do throws(StatusError) {
      response = try await service.respond(to: request).collected()
    } catch {
      response = .error(error)
    }
    if response.file != nil {
      recorder.change(traceparent) { $0.note(flaw: "it reads a file of Cloud Storage") }
    } else if let request = request.toProvider {
      let exchange = ProviderExchange(request: .init(request), response: .init(response))
      recorder.change(traceparent) { $0.exchange(exchange) }
    } else if response.status != 200, let commit = FirestoreCommit(request) {
      // Another writer's recent change made the commit fail.
      let found = commit.names.map { ($0, document($0)) }
      recorder.change(traceparent) { recording in
        for (name, document) in found { recording.meet(name, document, by: .commit) }
      }
    } else if let read = FirestoreRead(request) {
      switch read.documents(in: response) {
      case .success(let documents):
        recorder.change(traceparent) { recording in
          for (name, document) in documents { recording.meet(name, document) }
        }
      case .failure(let error): recorder.change(traceparent) { $0.note(flaw: error.message) }
      }
    }
    return response
  }
}
