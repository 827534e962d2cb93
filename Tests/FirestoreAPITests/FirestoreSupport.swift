import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import HTTPService
import Persistence
import Store
import SwiftProtobuf
import Synchronization
import TestKit

/// Firestore with an empty store, which a test calls by gRPC's methods or by REST.
struct Firestore: Sendable {
  static let database = "projects/p/databases/(default)"
  static let documents = "\(database)/documents"

  let service: FirestoreService
  let door: FirestoreREST
  let context = RequestContext(caller: .admin)

  init(rules: SecurityRules = SecurityRules()) {
    let store = Store()
    service = FirestoreService(
      project: "p",
      store: store,
      rules: rules,
      newID: { "AutomaticAutomatic20" }
    )
    door = FirestoreREST(
      service,
      transfer: DataTransfer(store: store, workingDirectory: "/nowhere")
    ) {}
  }

  static func name(_ path: String) -> String { "\(documents)/\(path)" }

  /// Writes a document and replaces its old fields.
  func set(_ path: String, _ fields: Fields = [:]) throws {
    _ = try commit(.with { $0.update = .named(path, fields) })
  }

  @discardableResult
  func commit(_ writes: ProtoWrite...) throws -> ProtoCommitResponse {
    try service.commit(
      .with {
        $0.database = Self.database
        $0.writes = writes
      },
      context
    ).now
  }

  func get(_ path: String) throws -> ProtoDocument {
    try service.getDocument(.with { $0.name = Self.name(path) }, context).now
  }

  /// Sends a request to the REST service, and returns the response with its whole body.
  func http(
    _ method: String,
    _ target: String,
    _ body: String = "",
    headers: [String: String] = ["authorization": "Bearer owner"]
  ) async throws -> HTTPAnswer {
    let request = try ServiceRequest(
      method: method,
      target: target,
      headers: headers,
      body: Data(body.utf8)
    )
    let response: ServiceResponse
    do throws(StatusError) {
      response = try await door.respond(to: request)
    } catch {
      response = .error(error)
    }
    var collector = Collector()
    collector.body = response.body
    if let stream = response.stream {
      var writer: any ServiceResponseWriter = collector
      try await stream(&writer)
      collector = writer as? Collector ?? collector
    }
    return HTTPAnswer(status: response.status, body: collector.body)
  }

  func documents(_ suffix: String) -> String { "/v1/\(Self.documents)\(suffix)" }
}

struct HTTPAnswer {
  var status: Int
  var body: Data

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

  var message: String { json["error"]?["message"]?.string ?? "" }
}

private struct Collector: ServiceResponseWriter {
  var body = Data()

  mutating func write(_ bytes: Data) { body.append(bytes) }

  func flush() {}
}

extension ProtoDocument {
  static func named(_ path: String, _ fields: Fields = [:]) -> ProtoDocument {
    .with {
      $0.name = Firestore.name(path)
      $0.fields = fields.proto
    }
  }
}

extension ResponseStream {
  /// Returns all messages of the stream, in order.
  func collected() async throws -> [Response] {
    let messages = Mutex<[Response]>([])
    try await forEach { portion in messages.withLock { $0 += portion } }
    return messages.withLock { $0 }
  }
}

func invalid(_ message: String) -> StatusError { StatusError(.invalidArgument, message) }
