import Core
import FirestoreModel
import Rules
import Testing

/// The variables that rules see of a request. The members of an upload and of a change of metadata
/// are those that production shows.
struct StorageRequestsTests {
  private static let name = "a/b.png"
  private static let stored = StorageScene.object(name)

  /// A larger picture without optional metadata.
  private static let new: StorageObject = {
    var new = stored
    (new.generation, new.metageneration, new.size) = (4, 1, 2_000)
    (new.contentType, new.contentDisposition, new.contentEncoding) = ("image/jpeg", nil, nil)
    (new.md5Hash, new.etag, new.metadata) = ("other", "new tag", [:])
    return new
  }()

  private func allows(_ condition: String, _ request: RulesRequest) throws -> Bool {
    try StorageScene().refusal(of: request, condition) == nil
  }

  @Test(arguments: [
    "request.method == 'get' && request.time == timestamp.value(1700000000000)",
    "request.auth.uid == 'alice' && request.auth.token.level == 3",
    "request.path == /b/pictures/o/a/$('b.png') && request.path[3] == 'a'",
    "name == /a/$('b.png') && bucket == 'pictures'",
    "request.resource == null && !('query' in request)",
    "resource.name == 'a/b.png' && resource.bucket == 'pictures' && resource.size == 1000",
    "resource.generation == 3 && resource.metageneration == 2 && resource.etag == 'tag'",
    "resource.timeCreated == timestamp.value(1600000000000) && resource.updated > resource.timeCreated",
    "resource.md5Hash == 'md5' && resource.crc32c == 'crc' && resource.storageClass == 'STANDARD'",
    "resource.contentType == 'image/png' && resource.contentDisposition == 'inline'",
    "resource.contentEncoding == 'identity' && resource.contentLanguage == null",
    "resource.cacheControl == null && resource.keys().size() == 17",
    "resource.metadata == {'owner': 'alice'} && resource.metadata.get('more', 'no') == 'no'",
    "request.time - resource.updated > duration.value(1, 'd')",
  ])
  func `a read sees the object`(condition: String) throws {
    #expect(try allows(condition, StorageScene.requests().get(Self.name, Self.stored)))
  }

  @Test(arguments: [
    "request.method == 'create' && resource.size == 1000 && request.resource.size == 2000",
    "request.resource.name == 'a/b.png' && request.resource.bucket == 'pictures'",
    "request.resource.generation == null && request.resource.metageneration == null",
    "request.resource.etag == null && request.resource.storageClass == null",
    "request.resource.md5Hash == 'other' && request.resource.crc32c == 'crc'",
    "request.resource.contentType == 'image/jpeg' && request.resource.contentDisposition == null",
    "request.resource.metadata == null && request.resource.keys().size() == 15",
    "!request.resource.keys().hasAny(['timeCreated', 'updated'])",
  ])
  func `an upload is create, also over an object`(condition: String) throws {
    let request = StorageScene.requests().create(Self.new, existing: Self.stored)
    #expect(try allows(condition, request))
  }

  @Test(arguments: [
    "request.method == 'update' && request.resource.contentType == 'image/jpeg'",
    "request.resource.generation == resource.generation && request.resource.etag == resource.etag",
    "request.resource.metageneration == resource.metageneration",
    "request.resource.storageClass == 'STANDARD' && resource.metadata.owner == 'alice'",
    "request.resource.keys().size() == 15 && !('updated' in request.resource)",
  ])
  func `a change of metadata sees the version before it`(condition: String) throws {
    let request = StorageScene.requests().update(Self.new, existing: Self.stored)
    #expect(try allows(condition, request))
  }

  @Test func `an object that doesn't exist is null`() throws {
    let requests = StorageScene.requests()
    for request in [
      requests.get(Self.name, nil), requests.create(Self.new, existing: nil),
      requests.update(Self.new, existing: nil), requests.delete(Self.name, nil),
      requests.list(prefix: "a/"),
    ] {
      #expect(try allows("resource == null", request))
      #expect(try !allows("resource.size == 1000", request))
    }
  }

  @Test func `only an upload and a change have a new object`() throws {
    let requests = StorageScene.requests()
    for (request, isNull) in [
      (requests.get(Self.name, Self.stored), true), (requests.list(prefix: ""), true),
      (requests.delete(Self.name, Self.stored), true),
      (requests.create(Self.new, existing: Self.stored), false),
      (requests.update(Self.new, existing: Self.stored), false),
    ] {
      #expect(try allows("request.resource == null", request) == isNull)
    }
    let delete = requests.delete(Self.name, Self.stored)
    #expect(try allows("request.method == 'delete' && resource.metadata.owner == 'alice'", delete))
  }

  @Test func `a member that doesn't exist is an error`() throws {
    for (condition, reason) in [
      ("resource.data.n == 1", "Property data is undefined on object."),
      ("request.resource.size < 5", "Null value error."),
      ("request.query.limit == 1", "Property query is undefined on object."),
      ("resource.metadata.more == 'x'", "Property more is undefined on object."),
    ] {
      #expect(try StorageScene().refusal(condition) == reason)
    }
  }

  @Test func `nobody's auth is null`() throws {
    let request = StorageScene.requests(of: nil).get(Self.name, Self.stored)
    #expect(try allows("request.auth == null", request))
    #expect(try !allows("request.auth.uid == 'alice'", request))
  }

  @Test(
    arguments: [
      ("read", [.get, .list]), ("write", [.create, .update, .delete]), ("get", [.get]),
      ("list", [.list]), ("create", [.create]), ("update", [.update]), ("delete", [.delete]),
    ] as [(String, Set<RulesMethod>)]
  )
  func `a statement allows its methods`(name: String, methods: Set<RulesMethod>) throws {
    let ruleset = try StorageScene.ruleset("match /{name=**} { allow \(name); }")
    let requests = StorageScene.requests()
    for request in [
      requests.get(Self.name, Self.stored), requests.list(prefix: "a/"),
      requests.create(Self.new, existing: nil), requests.update(Self.new, existing: Self.stored),
      requests.delete(Self.name, Self.stored),
    ] {
      let isAllowed = StorageScene().decide(request, under: ruleset) == .allowed
      #expect(isAllowed == methods.contains(request.method), "\(request.method)")
    }
  }

  @Test func `a list needs version 2`() throws {
    let ruleset = try StorageScene.ruleset("match /{name=**} { allow read; }", version: 1)
    let requests = StorageScene.requests()
    let scene = StorageScene()
    #expect(scene.decide(requests.get(Self.name, nil), under: ruleset) == .allowed)
    #expect(
      scene.decide(requests.list(prefix: "a/"), under: ruleset)
        == .denied(["Lists of objects need rules_version = '2'"])
    )
  }

  @Test func `rules of Firestore don't decide`() throws {
    let ruleset = try Ruleset(
      compiling: "service cloud.firestore { match /{name=**} { allow read, write; } }"
    )
    let request = StorageScene.requests().get(Self.name, Self.stored)
    #expect(StorageScene().decide(request, under: ruleset) != .allowed)
  }
}
