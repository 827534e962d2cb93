import Core
import Cryptography
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import Rules
import SwiftProtobuf
import TestKit

/// Firestore under security rules that a test can replace.
struct GuardedFirestore: Sendable {
  let rules = SecurityRules()
  let firestore: Firestore

  var service: FirestoreService { firestore.service }

  /// - Parameter statements: The rules for all documents, as `match` blocks. Without rules, data is
  ///   open.
  init(_ statements: String? = nil) throws {
    firestore = Firestore(rules: rules)
    if let statements { try replace(statements) }
  }

  /// Replaces the emulator's rules or, if `project` isn't `nil`, the rules of a project.
  func replace(_ statements: String, of project: String? = nil) throws {
    let file = RulesFile(
      name: "",
      content: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{db}/documents {
            \(statements)
          }
        }
        """
    )
    _ = try file.compiled.get()
    if let project { try rules.replace(file, of: project) } else { rules.replace(file) }
  }

  /// Sends a project's rules over REST, which are accepted even if they have errors.
  func putRules(_ content: String, of project: String) async throws -> HTTPAnswer {
    try await firestore.http(
      "PUT",
      "/emulator/v1/projects/\(project):securityRules",
      #"{"rules":{"files":[{"content":"\#(content)"}]},"ignore_errors":true}"#
    )
  }

  func set(_ path: String, _ fields: Fields = [:]) throws { try firestore.set(path, fields) }

  /// Commits writes as a caller.
  func commit(
    as context: RequestContext,
    transaction: Data = Data(),
    _ writes: ProtoWrite...
  ) throws {
    _ = try service.commit(
      .with {
        $0.database = Firestore.database
        $0.transaction = transaction
        $0.writes = writes
      },
      context
    ).now
  }

  /// Returns the documents that a caller gets by their names.
  func batchGet(
    as context: RequestContext,
    transaction: Data? = nil,
    _ paths: String...
  ) async throws -> [ProtoBatchGetDocumentsResponse] {
    try await service.batchGetDocuments(
      .with {
        $0.database = Firestore.database
        $0.documents = paths.map(Firestore.name)
        if let transaction { $0.transaction = transaction }
      },
      context
    ).collected()
  }

  func begin(as context: RequestContext) throws -> Data {
    try service.beginTransaction(.with { $0.database = Firestore.database }, context).transaction
  }
}

extension RequestContext {
  static let owner = RequestContext(caller: .admin)
  static let nobody = RequestContext(caller: .unauthenticated)

  static func user(_ uid: String, _ claims: JSONObject = [:]) throws -> RequestContext {
    let token = try UnsignedToken.encode(uid: uid, project: "p", claims: claims, now: 0)
    return RequestContext(caller: .user(try UnsignedToken(token)))
  }
}

extension ProtoWrite {
  static func set(
    _ path: String,
    _ fields: Fields = [:],
    exists: Bool? = nil
  ) -> ProtoWrite {
    .with {
      $0.update = .named(path, fields)
      if let exists { $0.currentDocument.exists = exists }
    }
  }

  static func delete(_ path: String, exists: Bool? = nil) -> ProtoWrite {
    .with {
      $0.delete = Firestore.name(path)
      if let exists { $0.currentDocument.exists = exists }
    }
  }

  static func verify(_ path: String, exists: Bool) -> ProtoWrite {
    .with {
      $0.verify = Firestore.name(path)
      $0.currentDocument.exists = exists
    }
  }
}

func denied(_ message: String) -> StatusError { StatusError(.permissionDenied, message) }
