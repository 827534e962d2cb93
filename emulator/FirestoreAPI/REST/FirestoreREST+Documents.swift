import Core
import FirestoreModel
import FirestoreProtos
import HTTPService
import Store
import SwiftProtobuf

// The methods whose request message is made from the URL's path, its parameters and the body.

extension FirestoreREST {
  func get(
    _ resource: ResourceName,
    _ request: ServiceRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ServiceResponse {
    var message = ProtoGetDocumentRequest()
    message.name = resource.description
    if let mask = request.mask("mask") { message.mask = mask }
    switch try request.selectedRead() {
    case .transaction(let id): message.transaction = id
    case .time(let time): message.readTime = time
    case nil: break
    }
    return .json(try await service.getDocument(message, context).value().json)
  }

  func list(
    _ collection: ResourceName,
    _ request: ServiceRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ServiceResponse {
    var message = ProtoListDocumentsRequest()
    message.parent = collection.parent
    message.collectionID = collection.path.id
    message.pageSize = try request.integer("pageSize")
    message.pageToken = request.text("pageToken")
    message.orderBy = request.text("orderBy")
    message.showMissing = try request.boolean("showMissing") ?? false
    if let mask = request.mask("mask") { message.mask = mask }
    switch try request.selectedRead() {
    case .transaction(let id): message.transaction = id
    case .time(let time): message.readTime = time
    case nil: break
    }
    return .json(try await service.listDocuments(message, context).value().json)
  }

  func create(
    in collection: ResourceName,
    _ request: ServiceRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ServiceResponse {
    var message = ProtoCreateDocumentRequest()
    message.parent = collection.parent
    message.collectionID = collection.path.id
    message.documentID = request.text("documentId")
    message.document = try request.document()
    if let mask = request.mask("mask") { message.mask = mask }
    return .json(try await service.createDocument(message, context).value().json)
  }

  func update(
    _ resource: ResourceName,
    _ request: ServiceRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ServiceResponse {
    var message = ProtoUpdateDocumentRequest()
    message.document = try request.document()
    message.document.name = resource.description
    if let mask = request.mask("updateMask") { message.updateMask = mask }
    if let mask = request.mask("mask") { message.mask = mask }
    if let precondition = try request.precondition() { message.currentDocument = precondition }
    return .json(try await service.updateDocument(message, context).value().json)
  }

  func delete(
    _ resource: ResourceName,
    _ request: ServiceRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ServiceResponse {
    var message = ProtoDeleteDocumentRequest()
    message.name = resource.description
    if let precondition = try request.precondition() { message.currentDocument = precondition }
    return .json(try await service.deleteDocument(message, context).value().json)
  }
}

extension ServiceRequest {
  /// Returns the document in the body. If the body is empty, the document has no fields.
  fileprivate func document() throws(StatusError) -> ProtoDocument {
    body.isEmpty ? ProtoDocument() : try ProtoDocument(body: body)
  }
}

extension ResourceName {
  /// The name of the root or the document that a collection belongs to.
  fileprivate var parent: String {
    ResourceName(database: database, path: path.parent).description
  }
}
