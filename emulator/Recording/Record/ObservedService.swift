import FirestoreModel
package import HTTPService
import JSONCoding
import Platform
package import RPCStatus

/// A service whose answers to recorded invocations are written down.
package struct ObservedService: HTTPService {
  private let service: any HTTPService
  private let tap: RecordingTap

  package init(_ service: any HTTPService, tap: RecordingTap) {
    self.service = service
    self.tap = tap
  }

  package var name: String { service.name }

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

extension ServiceResponse {
  /// The same with all of its body.
  fileprivate func collected() async throws(StatusError) -> ServiceResponse {
    guard let stream else { return self }
    var writer: any ServiceResponseWriter = Collector()
    do {
      try await stream(&writer)
    } catch {
      throw error as? StatusError ?? StatusError(.internal, "\(error)")
    }
    var response = self
    response.stream = nil
    response.body = (writer as? Collector)?.body ?? Data()
    return response
  }

  private struct Collector: ServiceResponseWriter {
    var body = Data()
    mutating func write(_ bytes: Data) { body.append(bytes) }
  }
}

/// A request that reads documents from Firestore over REST.
private struct FirestoreRead {
  private enum Method {
    case get(DocumentName)
    case list, batchGet, runQuery
    /// Reads what no list of documents stands for.
    case other(String)
  }

  private struct Element: Decodable {
    var found: Document?
    var missing: DocumentName?
    var document: Document?
  }

  private struct List: Decodable {
    var documents: [Document]?
  }

  private let method: Method

  /// nil if it reads nothing: writes are seen where they are committed.
  init?(_ request: ServiceRequest) {
    guard request.path.first == "v1" || request.path.first == "v1beta1" else { return nil }
    let path = request.path.dropFirst()
    switch request.method {
    case "POST":
      guard let colon = path.last?.lastIndex(of: ":"), let last = path.last else { return nil }
      switch last[last.index(after: colon)...] {
      case "batchGet": method = .batchGet
      case "runQuery": method = .runQuery
      case "commit", "batchWrite", "beginTransaction", "rollback": return nil
      case let verb: method = .other(String(verb))
      }
    case "GET":
      if let name = try? DocumentName(path.joined(separator: "/")) {
        method = .get(name)
      } else {
        method = .list
      }
    default: return nil
    }
  }

  /// What was read, by name; nil for what isn't there.
  func documents(
    in response: ServiceResponse
  ) -> Result<[(DocumentName, Document?)], StatusError> {
    do throws(StatusError) {
      switch method {
      case .get(let name) where response.status == 404: return .success([(name, nil)])
      case _ where response.status != 200: return .success([])
      case .get(let name):
        let document = try JSON.decode(Document.self, from: response.body, what: "a document")
        return .success([(name, document)])
      case .list:
        let list = try JSON.decode(List.self, from: response.body, what: "a list of documents")
        return .success((list.documents ?? []).map { ($0.name, $0) })
      case .batchGet, .runQuery:
        let elements = try JSON.decode([Element].self, from: response.body, what: "documents")
        return .success(
          elements.compactMap { element in
            (element.found ?? element.document).map { ($0.name, $0) }
              ?? element.missing.map { ($0, nil) }
          }
        )
      case .other(let verb):
        throw StatusError(.unimplemented, "it asks Firestore to \(verb), which isn't recorded")
      }
    } catch {
      return .failure(error)
    }
  }
}
