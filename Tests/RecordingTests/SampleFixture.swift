import Core
import Cryptography
import TestKit

@testable import Recording

/// A fixture with a translated message, two people, and their private data.
enum SampleFixture {
  static let text = "Hey Marco, write to sarah@mail.example.org or +39 347 5551234! 🍕"
  static let translation = "Ciao Marco, scrivi a sarah@mail.example.org! 🍕"
  /// The key of the cached translation.
  static let hash = SHA256.hexadecimal("\(text)|en|it".utf8)

  /// Creates the fixture.
  ///
  /// - Parameter change: changes the fixture's JSON before it is read.
  static func make(
    _ change: (inout JSONObject) -> Void = { _ in }
  ) throws(StatusError) -> ReplayFixture {
    var members = try JSONValue(parsing: Data(json.utf8)).object ?? [:]
    change(&members)
    return try ReplayFixture(.object(members))
  }

  static let json = #"""
    {
      "version": 1, "function": "translateMessage", "project": "family-chat-prod",
      "environment": {},
      "invocation": {"id": "i1", "attempt": 1, "time": "2026-03-01T18:00:00Z"},
      "event": {
        "specversion": "1.0", "id": "e1", "type": "google.cloud.firestore.document.v1.created",
        "source": "//firestore.googleapis.com/projects/family-chat-prod/databases/(default)",
        "subject": "documents/conversations/sarah-marco/messages/hello",
        "document": "conversations/sarah-marco/messages/hello",
        "data": {"value": {
          "name":
        "projects/family-chat-prod/databases/(default)/documents/conversations/sarah-marco/messages/hello",
          "fields": {
            "senderId": {"stringValue": "sarah"}, "language": {"stringValue": "en"},
            "text": {"stringValue": "TEXT"}
          }
        }}
      },
      "documents": {
        "users/sarah": {"fields": {
          "displayName": {"stringValue": "Sarah Miller"}, "primaryLanguage": {"stringValue": "en"},
          "fcmToken": {"stringValue": "device-of-sarah"},
          "location": {"stringValue": "Springfield"}, "home": {"geoPointValue": {"latitude": 1.5}}
        }},
        "users/marco": null,
        "conversations/sarah-marco": {"fields": {
          "participants": {"arrayValue": {"values": [
            {"stringValue": "sarah"}, {"stringValue": "marco"}
          ]}},
          "languageOverrides": {"mapValue": {"fields": {"marco": {"stringValue": "it"}}}},
          "unread": {"mapValue": {"fields": {"marco": {"integerValue": "2"}}}}
        }},
        "translations/HASH": {"fields": {"translatedText": {"stringValue": "TRANSLATION"}}}
      },
      "exchanges": [{
        "request": {"method": "POST", "path": "/language/translate/v2",
          "body": {"q": ["TEXT"], "source": "en", "target": "it", "format": "text"}},
        "response": {"status": 200, "headers": {"content-type": "application/json"},
          "body": {"data": {"translations": [
            {"translatedText": "TRANSLATION", "model": "nmt"}]}}}
      }],
      "expected": {
        "exitCode": 0, "changes": {}, "reply": {"status": "ok", "result": {"marco": "done"}}
      }
    }
    """#
    .replacing("TEXT", with: text).replacing("TRANSLATION", with: translation)
    .replacing("HASH", with: hash)
}
