import Core
import FirestoreModel
import Rules
import Testing

/// The requests that WorldChat's `storage.rules` allow and refuse.
///
/// In the conversation `pair` are Sarah and Marco. Lena has left it, and Nora is a stranger.
@Suite("WorldChat's rules of Cloud Storage")
struct WorldChatStorageRulesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let request: RulesRequest
    let isAllowed: Bool
  }

  private static let scene = StorageScene(
    documents: [
      "databases/(default)/documents/conversations/pair": [
        "participants": .array([.string("sarah"), .string("marco")])
      ]
    ]
  )

  private static func rules() throws -> Ruleset {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let text = try String(contentsOfFile: "/\(root)/storage.rules", encoding: .utf8)
    return try Ruleset(compiling: text)
  }

  @Test("decide each row of the table as it says", arguments: rows)
  func row(_ row: Row) throws {
    let decision = Self.scene.decide(row.request, under: try Self.rules())
    #expect((decision == .allowed) == row.isAllowed, "\(decision)")
  }

  @Test("need each condition: one that is always true, or always false, makes a row fail")
  func mutants() throws {
    let mutants = ConditionMutant.all(of: try Self.rules())
    #expect(mutants.count > 50)
    for mutant in mutants {
      let isNoticed = Self.rows.contains { row in
        (Self.scene.decide(row.request, under: mutant.ruleset) == .allowed) != row.isAllowed
      }
      #expect(isNoticed, "\(mutant.description)")
    }
  }

  @Test("have no warnings")
  func warnings() throws {
    #expect(Ruleset.lint(try Self.rules().source) == [])
  }

  // MARK: The table

  private static let rows = avatarRows + avatarTypeRows + mediaRows + mediaTypeRows + otherRows

  private static let mebibyte: Int64 = 1_048_576

  private static func may(
    _ uid: String?,
    _ description: String,
    _ request: (StorageRequests) -> RulesRequest
  ) -> Row {
    Row(
      testDescription: "\(uid ?? "nobody") may: \(description)",
      request: request(StorageScene.requests(of: uid)),
      isAllowed: true
    )
  }

  private static func mayNot(
    _ uid: String?,
    _ description: String,
    _ request: (StorageRequests) -> RulesRequest
  ) -> Row {
    Row(
      testDescription: "\(uid ?? "nobody") may not: \(description)",
      request: request(StorageScene.requests(of: uid)),
      isAllowed: false
    )
  }

  private static func object(
    _ name: String,
    _ type: String? = "image/png",
    by uploader: String? = nil,
    size: Int64 = 1_000
  ) -> StorageObject {
    var object = StorageScene.object(name, size: size)
    object.contentType = type
    object.metadata = uploader.map { ["uploader": $0] } ?? [:]
    return object
  }

  /// Returns an upload where no file is.
  private static func upload(_ object: StorageObject) -> (StorageRequests) -> RulesRequest {
    { $0.create(object, existing: nil) }
  }

  private static func replace(
    _ old: StorageObject,
    with new: StorageObject
  ) -> (StorageRequests) -> RulesRequest {
    { $0.create(new, existing: old) }
  }

  private static func change(
    _ old: StorageObject,
    to new: StorageObject
  ) -> (StorageRequests) -> RulesRequest {
    { $0.update(new, existing: old) }
  }

  // MARK: Avatars

  private static let face = "avatars/sarah/face.png"
  private static let avatar = object(face)

  private static let avatarRows = [
    may("marco", "see another's avatar") { $0.get(face, avatar) },
    may("marco", "look for an avatar that is missing") { $0.get(face, nil) },
    mayNot(nil, "see an avatar") { $0.get(face, avatar) },
    mayNot("sarah", "list the bucket") { $0.list(prefix: "") },
    mayNot("sarah", "list all avatars") { $0.list(prefix: "avatars/") },
    mayNot("sarah", "list her avatars") { $0.list(prefix: "avatars/sarah/") },
    mayNot("sarah", "list below a file") { $0.list(prefix: "\(face)/") },
    may("sarah", "upload an avatar", upload(avatar)),
    may("sarah", "replace her avatar", replace(avatar, with: object(face, "image/jpeg"))),
    mayNot("marco", "upload another's avatar", upload(avatar)),
    mayNot("marco", "replace another's avatar", replace(avatar, with: avatar)),
    mayNot(nil, "upload an avatar", upload(avatar)),
    may("sarah", "upload 5 MiB", upload(object(face, size: 5 * mebibyte))),
    mayNot("sarah", "upload more than 5 MiB", upload(object(face, size: 5 * mebibyte + 1))),
    may("sarah", "change the metadata", change(avatar, to: object(face, by: "x"))),
    mayNot("marco", "change another's metadata", change(avatar, to: object(face, by: "x"))),
    mayNot("sarah", "make a page of it", change(avatar, to: object(face, "text/html"))),
    mayNot(
      "sarah",
      "change the metadata of a file that is too large",
      change(object(face, size: 6 * mebibyte), to: object(face, size: 6 * mebibyte))
    ),
    may("sarah", "delete her avatar") { $0.delete(face, avatar) },
    mayNot("marco", "delete another's avatar") { $0.delete(face, avatar) },
    mayNot(nil, "delete an avatar") { $0.delete(face, avatar) },
    mayNot("sarah", "upload as a user with a similar id", upload(object("avatars/sarah\n/f.png"))),
    mayNot("", "upload as a user without an id", upload(object("avatars//face.png"))),
  ]

  private static let imageTypes = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/heic", "image/avif",
    "image/vnd.microsoft.icon",
  ]

  private static let refusedImageTypes: [String?] = [
    nil, "", "image", "image/", "image/svg+xml", "image/svg+xml; charset=utf-8", "IMAGE/SVG+XML",
    " image/svg+xml", "image/svg+xml ", "image/png,image/svg+xml", "image/png;a=b,text/html",
    "image/png; a=b", "image/png\n", "text/html", "text/html;image/png", "application/xhtml+xml",
    "application/octet-stream",
  ]

  private static let avatarTypeRows =
    imageTypes.map { may("sarah", "upload \($0)", upload(object(face, $0))) }
    + (refusedImageTypes + ["video/mp4", "audio/mpeg"]).map {
      mayNot("sarah", "upload \($0 ?? "no type") as avatar", upload(object(face, $0)))
    }

  // MARK: Media

  private static let trip = "conversations/pair/media/trip.png"
  private static let sarahs = object(trip, by: "sarah")
  private static let marcos = object(trip, by: "marco")
  private static let lenas = object(trip, by: "lena")
  private static let strangers = object(trip, by: "nora")
  private static let nobodys = object(trip)

  private static let mediaRows = [
    may("sarah", "see a member's file") { $0.get(trip, marcos) },
    may("marco", "look for a file that is missing") { $0.get(trip, nil) },
    mayNot("nora", "see a file of others") { $0.get(trip, marcos) },
    mayNot("lena", "see a file after leaving, also an own one") { $0.get(trip, lenas) },
    mayNot(nil, "see a file") { $0.get(trip, marcos) },
    mayNot("sarah", "see a file of a conversation that is missing") {
      $0.get("conversations/none/media/trip.png", object("conversations/none/media/trip.png"))
    },
    mayNot("sarah", "list the files") { $0.list(prefix: "conversations/pair/media/") },
    mayNot("sarah", "list below a file") { $0.list(prefix: "\(trip)/") },
    may("sarah", "upload a file", upload(sarahs)),
    mayNot("nora", "upload a file", upload(strangers)),
    mayNot("lena", "upload a file after leaving", upload(lenas)),
    mayNot(nil, "upload a file", upload(nobodys)),
    mayNot("sarah", "upload without an uploader", upload(nobodys)),
    mayNot("sarah", "upload as another", upload(marcos)),
    may("marco", "replace an own file", replace(marcos, with: marcos)),
    mayNot("sarah", "replace another's file", replace(marcos, with: sarahs)),
    mayNot("sarah", "replace a file without an uploader", replace(nobodys, with: sarahs)),
    mayNot("lena", "replace an own file after leaving", replace(lenas, with: lenas)),
    mayNot(
      "marco",
      "replace an own file by a page",
      replace(marcos, with: object(trip, "text/html", by: "marco"))
    ),
    may(
      "sarah",
      "upload 10 MiB",
      upload(object(trip, by: "sarah", size: 10 * mebibyte))
    ),
    mayNot(
      "sarah",
      "upload more than 10 MiB",
      upload(object(trip, by: "sarah", size: 10 * mebibyte + 1))
    ),
    may("marco", "change the metadata", change(marcos, to: object(trip, "image/gif", by: "marco"))),
    mayNot("sarah", "take over another's file", change(marcos, to: sarahs)),
    mayNot("marco", "give an own file away", change(marcos, to: sarahs)),
    mayNot("marco", "remove the uploader", change(marcos, to: nobodys)),
    mayNot(
      "marco",
      "make a page of it",
      change(marcos, to: object(trip, "text/html", by: "marco"))
    ),
    mayNot("lena", "change the metadata after leaving", change(lenas, to: lenas)),
    may("marco", "delete an own file") { $0.delete(trip, marcos) },
    may("lena", "delete an own file after leaving") { $0.delete(trip, lenas) },
    mayNot("sarah", "delete another's file") { $0.delete(trip, marcos) },
    mayNot("sarah", "delete a file without an uploader") { $0.delete(trip, nobodys) },
    mayNot("sarah", "delete a file that is missing") { $0.delete(trip, nil) },
    mayNot(nil, "delete a file without an uploader") { $0.delete(trip, nobodys) },
  ]

  private static let mediaTypes = [
    "video/mp4", "video/quicktime", "video/3gpp", "audio/mpeg", "audio/x-m4a",
    "audio/webm;codecs=opus", "audio/webm; codecs=\"opus\"", "video/webm;codecs=vp8,opus",
  ]

  private static let refusedMediaTypes: [String?] =
    refusedImageTypes + [
      "application/pdf", "audio/mpeg,text/html", "audio/mpeg;a=b,text/html",
      "audio/mpeg, text/html",
      "video", "video/", "xvideo/mp4", "Video/mp4", "multipart/mixed;video/mp4",
    ]

  private static let mediaTypeRows =
    (imageTypes + mediaTypes).map {
      may("sarah", "upload \($0)", upload(object(trip, $0, by: "sarah")))
    }
    + refusedMediaTypes.map {
      mayNot("sarah", "upload \($0 ?? "no type")", upload(object(trip, $0, by: "sarah")))
    }

  // MARK: Other names

  private static let otherNames = [
    "face.png", "avatars", "avatars/face.png", "avatars/sarah", "avatars/sarah/",
    "avatars/sarah//face.png", "avatars//face.png", "/avatars/sarah/face.png",
    "avatars/sarah/face.png/", "avatars/sarah/more/face.png", "avatars/sarah/../sarah/face.png",
    "Avatars/sarah/face.png", "avatars/marco/../sarah/face.png",
    "conversations/pair/trip.png", "conversations/pair/media", "conversations/pair/media/",
    "conversations/pair/media/more/trip.png", "conversations/pair//media/trip.png",
    "conversations/../pair/media/trip.png", "conversations//media/trip.png",
    "conversations/pair/Media/trip.png", "/conversations/pair/media/trip.png",
    "conversations/x/../pair/media/trip.png", "other/conversations/pair/media/trip.png",
  ]

  private static let otherRows = otherNames.flatMap { name in
    let object = object(name, by: "sarah")
    let shown = name.debugDescription
    return [
      mayNot("sarah", "upload \(shown)", upload(object)),
      mayNot("sarah", "delete \(shown)") { $0.delete(name, object) },
      mayNot("sarah", "see \(shown)") { $0.get(name, object) },
    ]
  }
}
