import Core
import Cryptography
import FirestoreModel
import ProviderFakes
import TestKit
import Testing

@testable import Recording

struct DeviceTokensTests {
  private static func hash(_ token: String) -> String {
    "t" + SHA256.hexadecimal(token.utf8).prefix(32)
  }

  @Test func `a device's token is replaced everywhere, and so is its hash`() throws {
    let token = "device-of-sarah"
    let hash = Self.hash(token)
    let fixture = try SampleFixture.make { members in
      var documents = members["documents"]?.object ?? [:]
      documents["users/sarah/devices/\(token)"] = .null
      documents["functionEvents/e"] = .object([
        "fields": .object([
          "devices": .object([
            "mapValue": .object(["fields": .object([ByteKey(hash): .object(["nullValue": .null])])])
          ])
        ])
      ])
      members["documents"] = .object(documents)
      members["exchanges"] = .array([
        .object([
          "request": .object([
            "method": .string("POST"), "path": .string("/v1/projects/p/messages:send"),
            "body": .object(["message": .object(["token": .string(token)])]),
          ]),
          "response": .object(["status": .integer(200)]),
        ])
      ])
    }
    let replaced = try DeviceTokens.replaced(in: fixture)
    let text = String(decoding: try replaced.file, as: UTF8.self)
    #expect(!text.contains(token) && !text.contains(hash))
    let placeholder = DeviceToken.placeholder(for: token)
    #expect(replaced.documents["users/sarah"]??.fields["fcmToken"] == .string(placeholder))
    #expect(replaced.documents.keys.contains("users/sarah/devices/\(placeholder)"))
    #expect(replaced.exchanges[0].json.at("request.body.message.token") == .string(placeholder))
    #expect(text.contains(Self.hash(placeholder)))
    #expect(text.contains("Sarah Miller"))
  }

  @Test func `other values stay, including a caller's claims`() throws {
    let fixture = try SampleFixture.make { members in
      members["event"] = .object([
        "auth": .object(["token": .object(["name": .string("sarah"), "sub": .string("")])])
      ])
      members["documents"] = .object([
        "users/sarah": .object(["fields": .object(["fcmToken": .object(["stringValue": ""])])])
      ])
    }
    #expect(try DeviceTokens.replaced(in: fixture) == fixture)
  }
}
