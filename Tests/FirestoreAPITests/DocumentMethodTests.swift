import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import TestKit
import Testing

struct DocumentMethodTests {
  private let firestore = Firestore()
  private var service: FirestoreService { firestore.service }
  private var context: RequestContext { firestore.context }

  private func create(
    _ id: String,
    _ fields: Fields = [:],
    mask: [String]? = nil
  ) throws -> ProtoDocument {
    try service.createDocument(
      .with { request in
        request.parent = Firestore.documents
        request.collectionID = "c"
        request.documentID = id
        request.document.fields = fields.proto
        if let mask { request.mask.fieldPaths = mask }
      },
      context
    ).now
  }

  @Test func `a document is created once, with its times`() throws {
    let created = try create("x", ["a": 1])
    #expect(created.name == Firestore.name("c/x"))
    #expect(created.hasCreateTime && created.createTime == created.updateTime)
    #expect(try firestore.get("c/x") == created)
    let error = #expect(throws: StatusError.self) { try create("x") }
    #expect(error?.code == .alreadyExists)
    #expect(error?.message == "Document already exists: \(Firestore.name("c/x"))")
  }

  @Test func `a document without an id gets one`() throws {
    #expect(try create("").name == Firestore.name("c/AutomaticAutomatic20"))
  }

  @Test func `an answer has the masked fields and the document's times`() throws {
    let created = try create("x", ["a": 1, "b": 2], mask: ["a"])
    #expect(try Fields(created.fields) == ["a": 1])
    #expect(try create("y", ["a": 1], mask: []).fields.isEmpty)
    let got = try service.getDocument(
      .with { request in
        request.name = Firestore.name("c/x")
        request.mask.fieldPaths = ["b", "missing"]
      },
      context
    ).now
    #expect(try Fields(got.fields) == ["b": 2])
    #expect(got.updateTime == created.updateTime)
  }

  @Test func `an update creates, replaces, and keeps the fields outside of its mask`() throws {
    func update(
      _ fields: Fields,
      mask: [String]? = nil,
      exists: Bool? = nil
    ) throws -> ProtoDocument {
      try service.updateDocument(
        .with { request in
          request.document = .named("c/x", fields)
          if let mask { request.updateMask.fieldPaths = mask }
          if let exists { request.currentDocument.exists = exists }
        },
        context
      ).now
    }
    let error = #expect(throws: StatusError.self) { try update([:], exists: true) }
    #expect(error?.code == .notFound)
    #expect(try Fields(update(["a": 1, "b": 2]).fields) == ["a": 1, "b": 2])
    let masked = try update(["a": 3, "c": 4], mask: ["a"])
    #expect(try Fields(masked.fields) == ["a": 3, "b": 2])
    // The update changes no field, so the document's times stay the same.
    #expect(try update(["a": 3], mask: ["a"]) == masked)
  }

  @Test func `a deletion returns an empty answer, also when it is repeated`() throws {
    try firestore.set("c/x")
    let request = ProtoDeleteDocumentRequest.with { $0.name = Firestore.name("c/x") }
    _ = try service.deleteDocument(request, context).now
    _ = try service.deleteDocument(request, context).now
    let error = #expect(throws: StatusError.self) { try firestore.get("c/x") }
    #expect(error?.code == .notFound)
    #expect(error?.message == "Document \"\(Firestore.name("c/x"))\" not found.")
  }

  @Test(arguments: [
    "", "c/x", "projects/p/databases/d/documents", "projects/p/databases/d/documents/c",
  ])
  func `an invalid document name is refused`(_ name: String) {
    let error = #expect(throws: StatusError.self) {
      try service.getDocument(.with { $0.name = name }, context)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `a document is read as of a read time`() throws {
    let before = try create("x", ["a": 1]).updateTime
    try firestore.set("c/x", ["a": 2])
    let old = try service.getDocument(
      .with { request in
        request.name = Firestore.name("c/x")
        request.readTime = before
      },
      context
    ).now
    #expect(try Fields(old.fields) == ["a": 1])
  }

  // MARK: Lists

  private func list(
    _ fill: (inout ProtoListDocumentsRequest) -> Void = { _ in }
  ) throws -> ProtoListDocumentsResponse {
    try service.listDocuments(
      .with { request in
        request.parent = Firestore.documents
        request.collectionID = "c"
        fill(&request)
      },
      context
    ).now
  }

  @Test func `a collection is listed in pages, in any order`() throws {
    for (id, n) in [("x", 1), ("y", 3), ("z", 2)] as [(String, Int64)] {
      try firestore.set("c/\(id)", ["n": .integer(n), "m": 0])
    }
    try firestore.set("c/below/d/e")
    func ids(_ response: ProtoListDocumentsResponse) -> [String] {
      response.documents.map { String($0.name.suffix(1)) }
    }
    let first = try list { $0.pageSize = 2 }
    #expect(ids(first) == ["x", "y"])
    let rest = try list { $0.pageToken = first.nextPageToken }
    #expect(ids(rest) == ["z"] && rest.nextPageToken.isEmpty)
    #expect(ids(try list { $0.orderBy = "n desc" }) == ["y", "z", "x"])
    #expect(ids(try list { $0.orderBy = " m ,  `n`  ASC " }) == ["x", "z", "y"])
    #expect(ids(try list { $0.orderBy = "__name__ desc" }) == ["z", "y", "x"])

    let missing = try list { request in
      request.showMissing = true
      request.mask.fieldPaths = ["n"]
    }.documents
    #expect(missing.map { $0.hasUpdateTime } == [false, true, true, true])
    #expect(missing[0].name == Firestore.name("c/below"))
    #expect(try Fields(missing[1].fields) == ["n": 1])
  }

  @Test func `an invalid list request is refused`() throws {
    let requests: [(inout ProtoListDocumentsRequest) -> Void] = [
      { $0.pageSize = -1 }, { $0.pageToken = "elsewhere" }, { $0.orderBy = "a b" },
      { $0.orderBy = "a," }, { $0.collectionID = "c/x/d" },
      { $0.parent = "\(Firestore.documents)/c" }, { $0.parent = "documents" },
      {
        $0.orderBy = "n"
        $0.showMissing = true
      },
    ]
    for fill in requests {
      let error = #expect(throws: StatusError.self) { try list(fill) }
      #expect(error?.code == .invalidArgument)
    }
  }
}
