import Core
import FirestoreModel
import HTTPService

/// A request that writes documents to Firestore over REST, and what it is about.
struct FirestoreCommit {
  let names: Set<DocumentName>

  /// nil for any other request.
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
