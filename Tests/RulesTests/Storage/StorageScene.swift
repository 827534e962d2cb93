import Core
import FirestoreModel
import Rules

/// A bucket, and the documents that its rules read.
struct StorageScene: DocumentReader {
  static let time = Timestamp(seconds: 1_700_000_000)

  /// The documents by their complete paths, such as `databases/(default)/documents/users/u1`.
  var documents: [String: Fields] = [:]

  func document(at path: [String]) -> Fields? { documents[path.joined(separator: "/")] }

  func documentAfterwards(at path: [String]) -> Fields? { nil }

  /// Returns the requests of a user, or of nobody.
  static func requests(of uid: String? = "alice") -> StorageRequests {
    StorageRequests(
      bucket: "pictures",
      caller: uid.map { RulesCaller(uid: $0, claims: ["level": .integer(3)]) } ?? .nobody,
      time: time
    )
  }

  /// Returns an object of the third generation.
  static func object(_ name: String, size: Int64 = 1_000) -> StorageObject {
    StorageObject(
      name: name,
      bucket: "pictures",
      generation: 3,
      metageneration: 2,
      size: size,
      timeCreated: Timestamp(seconds: 1_600_000_000),
      updated: Timestamp(seconds: 1_600_000_060),
      md5Hash: "md5",
      crc32c: "crc",
      etag: "tag",
      storageClass: "STANDARD",
      contentType: "image/png",
      contentDisposition: "inline",
      contentEncoding: "identity",
      metadata: ["owner": "alice"]
    )
  }

  /// Returns a ruleset with declarations inside the block for a bucket's objects.
  static func ruleset(_ body: String, version: Int = 2) throws(CompilationError) -> Ruleset {
    try Ruleset(
      compiling: """
        rules_version = '\(version)';
        service firebase.storage {
        match /b/{bucket}/o {
        \(body)
        }
        }
        """
    )
  }

  func decide(_ request: RulesRequest, under ruleset: Ruleset) -> Decision {
    var budget = RequestBudget.ofObject()
    return ruleset.decide(request, documents: self, budget: &budget)
  }

  /// The first reason for the denial of a request under a condition, without the statement's place,
  /// or `nil` if the request is allowed.
  func refusal(
    of request: RulesRequest,
    _ condition: String,
    functions: String = ""
  ) throws -> String? {
    let ruleset = try Self.ruleset(
      "\(functions) match /{name=**} { allow read, write: if \(condition); }"
    )
    return switch decide(request, under: ruleset) {
    case .allowed: nil
    case .denied(let reasons): reasons.first?.components(separatedBy: " for '").first
    }
  }

  /// The same for a read of an object.
  func refusal(_ condition: String, functions: String = "") throws -> String? {
    let request = Self.requests().get("a/b.png", Self.object("a/b.png"))
    return try refusal(of: request, condition, functions: functions)
  }
}
