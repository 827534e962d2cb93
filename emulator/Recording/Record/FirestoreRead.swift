import Core
import FirestoreModel
import HTTPService

/// A request that reads documents from Firestore over REST.
struct FirestoreRead {
  private enum Method {
    case get(DocumentName)
    case batchGet(Set<DocumentName>)
    /// A request for a collection, by its ID; `nil` for all collections.
    case list(String), runQuery(String?)
    /// Another method, whose result isn't a list of documents.
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

  private struct BatchGet: Decodable {
    var documents: [DocumentName]
  }

  private struct Query: Decodable {
    struct Structured: Decodable { var from: [Selector]? }
    struct Selector: Decodable { var collectionId: String? }
    var structuredQuery: Structured
  }

  private let method: Method

  /// The query without fields that vary between runs, or `nil` if documents are read by name.
  let query: JSONValue?

  /// Parses a request, or returns `nil` if it doesn't read documents. Writes are recorded when they
  /// are committed.
  init?(_ request: ServiceRequest) {
    guard request.path.first == "v1" || request.path.first == "v1beta1" else { return nil }
    let path = request.path.dropFirst()
    var query: JSONValue?
    switch request.method {
    case "POST":
      guard let colon = path.last?.lastIndex(of: ":"), let last = path.last else { return nil }
      switch last[last.index(after: colon)...] {
      case "batchGet":
        let asked = try? JSON.decode(BatchGet.self, from: request.body, what: "").documents
        method = .batchGet(Set(asked ?? []))
      case "runQuery":
        let structured = try? JSON.decode(Query.self, from: request.body, what: "").structuredQuery
        method = .runQuery(structured?.from?.first?.collectionId)
        let parent = path.dropLast() + [String(last[..<colon])]
        query = .object([
          "parent": .string(parent.joined(separator: "/").pathBelowDocuments),
          "structuredQuery": (try? JSONValue(parsing: request.body))?["structuredQuery"] ?? .null,
        ])
      case "commit", "batchWrite", "beginTransaction", "rollback": return nil
      case let verb: method = .other(String(verb))
      }
    case "GET":
      if let name = try? DocumentName(path.joined(separator: "/")) {
        method = .get(name)
      } else {
        method = .list(path.last ?? "")
        query = .object(["list": .string(path.joined(separator: "/").pathBelowDocuments)])
      }
    default: return nil
    }
    self.query = query
  }

  /// Returns a Boolean value that indicates whether a document may be in the response.
  func mayRead(_ name: DocumentName) -> Bool {
    switch method {
    case .get(let one): name == one
    case .batchGet(let names): names.contains(name)
    case .list(let collection): name.path.parent.id == collection
    case .runQuery(let collection): collection == nil || name.path.parent.id == collection
    case .other: true
    }
  }

  /// Returns the documents in a response by name, `nil` for a missing document.
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
        throw StatusError(
          .unimplemented,
          "the function called Firestore's \(verb), which can't be recorded"
        )
      }
    } catch {
      return .failure(error)
    }
  }
}

extension String {
  /// The part of a resource's full name that follows `documents/`.
  fileprivate var pathBelowDocuments: String {
    let segments = splitAtSlashes
    guard let place = segments.firstIndex(of: "documents") else { return self }
    return segments[(place + 1)...].joined(separator: "/")
  }
}
