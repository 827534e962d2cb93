import HTTPService
import Platform
import RPCStatus
import TestKit
import Testing

@testable import Recording

/// Nobody is left in a scrubbed fixture, in whatever form it was there.
struct ScrubbedPeopleTests {
  @Test(arguments: [
    "అన్నా ష్మిత్", "અન્ના શ્મિટ", "អាណាៗ", "අනා", "わたしはびょうきです", "タナカさん", "پژمان", "Анна",
    "Ελένη", "Երևան", "שרה", "आन्ना", "আন্না", "அன்னா", "แอนนา", "ანა", "안나", "安娜", "ਅੰਨਾ",
    "ಅನ್ನಾ", "അന്ന", "ແອນນາ", "အန်နာ", "አና", "Đỗ", "Åsa", "Éé", "İı", "ߊߣߊ", "𐤀𐤍𐤀", "𞤀𞤲𞤲𞤢",
    "٠٦١٢٣٤", "०६१२३४", "④⑦①①",
  ])
  func `letters of every script become others of it`(text: String) {
    let words = WordMap(kept: [], replaced: [])
    let other = words.replace(text)
    #expect(other.utf8.count == text.utf8.count)
    for (old, new) in zip(text.unicodeScalars, other.unicodeScalars) {
      #expect(old.properties.generalCategory == new.properties.generalCategory)
      #expect(old.value / 0x400 == new.value / 0x400 || Letters.isSingleWord(old) || old.isHangul)
    }
    let oldWords = text.split(separator: " ")
    #expect(zip(oldWords, other.split(separator: " ")).allSatisfy { $0 != $1 })
    #expect(words.irreplaceable.isEmpty)
    #expect(words.replace(text) == other)
  }

  @Test(arguments: [
    "06 12 34 56 78", "12.03.85", "4 7 1 1", "+1 (2) 3-4", "12/03/85", "4\u{A0}7–1‑1", "06'12'34",
  ])
  func `digits of a longer number are replaced, however they are grouped`(text: String) {
    let words = WordMap(kept: [], replaced: [])
    let other = words.replace("on \(text)!")
    #expect(other.hasPrefix("on ") && other.hasSuffix("!"))
    for (old, new) in zip(text, other.dropFirst(3)) {
      #expect(old.isNumber ? new.isNumber : old == new)
    }
    #expect(other != "on \(text)!")
    #expect(words.replace("at 18:00 in 12 days") == "at 18:00 in 12 days")
  }

  /// What people are known by; none of it may be in a fixture.
  private static let planted = [
    "\"anna\"", "/anna", "anna@", "anna.", "anna-", "annaschmidt", "schmidt", "clinic", "49-170",
    "1234567", "hiv-p", "4917012345678", "52.520008", "4.917", "అన్నా", "06 12", "12.03.85", "わたし",
    "پژمان",
  ]

  private static let fields = #"""
    {
      "status": {"stringValue": "anna.schmidt@clinic.example.org"},
      "role": {"stringValue": "+49-170-1234567"}, "kind": {"stringValue": "HIV-positive"},
      "platform": {"stringValue": "4917012345678"}, "createTime": {"stringValue": "anna"},
      "engine": {"stringValue": "gpt-4o-mini"}, "type": {"stringValue": "one-on-one"},
      "relevance": {"stringValue": "high"}, "function": {"stringValue": "translateMessage"},
      "phoneNumber": {"integerValue": "4917012345678"}, "ttl": {"integerValue": "2592000"},
      "latitude": {"doubleValue": 52.520008}, "unread": {"integerValue": "12"},
      "expiresAt": {"timestampValue": "2026-03-01T18:00:00Z"},
      "reactions": {"mapValue": {"fields": {
        "anna@clinic.example.org": {"stringValue": "06 12 34 56 78"}, "+49-170-1234567": {"nullValue": null}
      }}},
      "translations": {"mapValue": {"fields": {"pt-BR": {"stringValue": "12.03.85"}}}},
      "notesOfAnnaSchmidt": {"stringValue": "అన్నా わたし پژمان"},
      "text": {"stringValue": "{\"anna@clinic.example.org\": 4917012345678}"}
    }
    """#

  private static func scrubbed(_ change: (inout JSONObject) -> Void) throws(StatusError)
    -> ReplayFixture
  {
    try Scrubber(
      try SampleFixture.make(change),
      keepsPeople: false,
      functions: ["translateMessage"]
    ).scrubbed()
  }

  @Test func `nothing planted in documents and events survives`() throws {
    let fields = try json(Self.fields)
    let fixture = try Self.scrubbed { members in
      var documents = members["documents"]?.object ?? [:]
      documents["users/anna"] = .object(["fields": fields])
      members["documents"] = .object(documents)
      var event = members["event"]?.object ?? [:]
      event["data"] = .object([
        "value": .object(["fields": fields]), "oldValue": .object(["fields": fields]),
        "updateMask": .object(["fieldPaths": .array([.string("text"), .string("reactions.anna")])]),
      ])
      members["event"] = .object(event)
    }
    try Self.expectNobody(in: fixture)
    let scrubbed = try #require(fixture.event.at("data.value.fields"))
    for (path, text) in [
      ("engine.stringValue", "gpt-4o-mini"), ("type.stringValue", "one-on-one"),
      ("relevance.stringValue", "high"), ("function.stringValue", "translateMessage"),
      ("ttl.integerValue", "2592000"), ("unread.integerValue", "12"),
      ("expiresAt.timestampValue", "2026-03-01T18:00:00Z"),
    ] {
      #expect(scrubbed.at(path) == .string(text))
    }
    #expect(scrubbed.at("translations.mapValue.fields.pt-BR.stringValue") != nil)
    #expect(fixture.event.at("data.updateMask.fieldPaths.0") == .string("text"))
  }

  @Test func `nothing planted in a call survives`() throws {
    let fixture = try Self.scrubbed { members in
      members["event"] = .object([
        "auth": .object([
          "uid": .string("anna"), "token": .object(["exp": .integer(1_772_388_000)]),
        ]),
        "data": .object([
          "conversationId": .string("anna-schmidt"),
          "anna@clinic.example.org": .integer(4_917_012_345_678),
          "nullValue": .string("Anna Schmidt"), "place": .number(52.520008),
          "small": .number(0.00000004917012345678),
          "status": .string("anna.schmidt@clinic.example.org"),
        ]),
        "anna": .object(["timestampValue": .string("Anna")]),
      ])
    }
    try Self.expectNobody(in: fixture)
    #expect(fixture.event.at("auth.token.exp") == .integer(1_772_388_000))
    #expect(fixture.event.at("data.conversationId") != nil)
  }

  private static func expectNobody(in fixture: ReplayFixture) throws {
    // What is expected and asked is learned by a replay.
    var fixture = fixture
    fixture.expected.reply = .object([:])
    let file = String(decoding: try fixture.file, as: UTF8.self).lowercased()
    for text in planted { #expect(!file.contains(text), "\(text) is in it") }
  }

  @Test func `a letter that nothing can stand for refuses the fixture`() throws {
    // The only number in one character of its block and those beside it.
    let lonely = "\u{2CFD}\u{2CFD}"
    let error = #expect(throws: StatusError.self) {
      try Self.scrubbed { members in
        members["event"] = .object(["data": .object(["text": .string(lonely)])])
      }
    }
    #expect(error?.message == "a letter in it can't be replaced: U+2CFD")
  }
}

extension Unicode.Scalar {
  fileprivate var isHangul: Bool { (0xAC00...0xD7A3).contains(value) }
}
