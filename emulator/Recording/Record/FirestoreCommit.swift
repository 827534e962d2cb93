import Core
import FirestoreModel
import HTTPService

/// A commit request to Firestore over REST, with the names of its documents.
struct FirestoreCommit {
  let names: Set<DocumentName>

  /// Parses a request, or returns `nil` if it isn't a commit.
  init?(_ request: ServiceRequest) {
    guard request.method == "POST", request.path.first == "v1",
      request.path.last?.hasSuffix(":commit") == true,
      let body = try? JSONValue(parsing: request.body)
    else { return nil }
    let texts = (body["writes"]?.array ?? []).compactMap { write in
      write["update"]?["name"]?.string ?? write["delete"]?.string ?? write["verify"]?.string
        ?? write["transform"]?["document"]?.string
    }
    names = Set(texts.compactMap { try? DocumentName($0) })
  }
}
