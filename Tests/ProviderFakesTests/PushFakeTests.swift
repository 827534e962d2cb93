import Core
import Cryptography
import HTTPService
import ProviderFakes
import TestKit
import Testing

/// The fakes of FCM, of its token endpoint and of the metadata server.
struct PushFakeTests {
  private static let key = Result { try RSAKey.generate(bits: 1_024) }
  private static let scopes = "https://www.googleapis.com/auth/"
  private static let time: Int64 = 1_700_000_000

  private let fakes: ProviderFakes

  init() throws {
    fakes = ProviderFakes(
      translationKey: "t",
      openAIKey: "o",
      anthropicKey: "a",
      now: { Self.time },
      newID: { UUID().uuidString }
    )
    fakes.install(try Self.key.get(), project: "demo-p")
  }

  private func send(
    _ method: String,
    _ path: String,
    headers: [String: String] = [:],
    body: String = ""
  ) async throws -> ServiceResponse {
    try await fakes.respond(
      to: ServiceRequest(method: method, target: path, headers: headers, body: Data(body.utf8))
    )
  }

  // MARK: OAuth

  private func grant(
    scope: String = scopes + "firebase.messaging",
    audience: String = "https://oauth2.googleapis.com/token",
    issued: Int64 = time,
    expires: Int64 = time + 3_600
  ) async throws -> ServiceResponse {
    let claims = JSONValue.object([
      "iss": .string("emulator@demo-p.iam.gserviceaccount.com"), "scope": .string(scope),
      "aud": .string(audience), "iat": .integer(issued), "exp": .integer(expires),
    ])
    let assertion = try JSONWebToken.encode(
      header: Data(#"{"alg":"RS256","typ":"JWT"}"#.utf8),
      payload: try JSON.encode(claims),
      key: Self.key.get()
    )
    let type = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    return try await send("POST", "/token", body: "grant_type=\(type)&assertion=\(assertion)")
  }

  private func bearer(scope: String = scopes + "firebase.messaging") async throws -> String {
    let answer = try await grant(scope: scope)
    return "Bearer " + (try #require(answer.json?["access_token"]?.string))
  }

  @Test(arguments: [
    "https://oauth2.googleapis.com/token", "http://127.0.0.1:5001/providers/token",
  ])
  func `an assertion for Google or for the emulator is accepted`(audience: String) async throws {
    let answer = try await grant(audience: audience)
    #expect(answer.status == 200)
    #expect(answer.json?["expires_in"] == .integer(3_599))
    #expect(answer.json?["token_type"] == .string("Bearer"))
  }

  @Test func `an assertion for another audience or time is refused`() async throws {
    for answer in [
      try await grant(audience: "https://evil.example/token"),
      try await grant(issued: Self.time + 600, expires: Self.time + 700),
      try await grant(issued: Self.time - 7_200, expires: Self.time - 3_600),
      try await grant(expires: Self.time + 7_200),
    ] {
      #expect(answer.status == 400)
      #expect(answer.json?["error"] == .string("invalid_grant"))
    }
    #expect(try await grant(scope: "").json?["error"] == .string("invalid_scope"))
  }

  @Test(arguments: [
    ("firebase.messaging", 200), ("cloud-platform", 200), ("datastore", 403),
  ])
  func `a token is accepted only with FCM's scope`(scope: String, status: Int) async throws {
    let answer = try await push(
      #"{"message":{"token":"t"}}"#,
      bearer: bearer(scope: "\(Self.scopes)datastore \(Self.scopes)\(scope)")
    )
    #expect(answer.status == status)
    guard status == 403 else { return }
    #expect(answer.json?.at("error.status") == .string("PERMISSION_DENIED"))
    #expect(
      answer.json?.at("error.details.0.reason") == .string("ACCESS_TOKEN_SCOPE_INSUFFICIENT")
    )
  }

  // MARK: The metadata server

  private let flavor = ["metadata-flavor": "Google"]

  @Test func `the metadata server returns a token that FCM accepts`() async throws {
    let root = "/computeMetadata/v1"
    let project = try await send("GET", "\(root)/project/project-id", headers: flavor)
    #expect(String(decoding: project.body, as: UTF8.self) == "demo-p")
    #expect(project.header("metadata-flavor") == "Google")
    let accounts = "\(root)/instance/service-accounts/default"
    let account = try await send("GET", "\(accounts)/?recursive=true", headers: flavor)
    #expect(account.json?["email"] == .string("emulator@demo-p.iam.gserviceaccount.com"))
    let token = try await send("GET", "\(accounts)/token", headers: flavor)
    let bearer = "Bearer " + (try #require(token.json?["access_token"]?.string))
    #expect(try await push(#"{"message":{"token":"t"}}"#, bearer: bearer).status == 200)
    let narrow = try await send(
      "GET",
      "\(accounts)/token?scopes=\(Self.scopes)datastore",
      headers: flavor
    )
    let other = "Bearer " + (try #require(narrow.json?["access_token"]?.string))
    #expect(try await push(#"{"message":{"token":"t"}}"#, bearer: other).status == 403)
    await #expect(throws: (any Error).self) { try await send("GET", "\(accounts)/token") }
    await #expect(throws: (any Error).self) {
      try await send("GET", "\(accounts)/identity", headers: flavor)
    }
  }

  // MARK: Messages

  private func push(_ body: String, bearer: String) async throws -> ServiceResponse {
    try await send(
      "POST",
      "/v1/projects/demo-p/messages:send",
      headers: ["authorization": bearer],
      body: body
    )
  }

  private func inbox() async throws -> [JSONValue] {
    try await send("GET", "/fcm/inbox").json?["messages"]?.array ?? []
  }

  /// A message that has every field.
  private static let everything = """
    {"validateOnly":false,"message":{"token":"phone:1_a-b","name":"x","data":{"a":"b"},
    "notification":{"title":"t","body":"b","image":"https://x.example/i.png"},
    "fcm_options":{"analytics_label":"chat"},
    "android":{"collapse_key":"c","priority":"high","ttl":"3.500000000s","restricted_package_name":"p",
    "data":{"c":"d"},"direct_boot_ok":true,"bandwidth_constrained_ok":false,
    "restricted_satellite_ok":true,"fcm_options":{"analytics_label":"a"},
    "notification":{"title":"t","body":"b","icon":"i","color":"#aabbcc","sound":"s","tag":"t",
    "click_action":"c","body_loc_key":"k","body_loc_args":["x"],"title_loc_key":"k",
    "title_loc_args":["y","z"],"channel_id":"c","ticker":"t","sticky":true,
    "event_time":"2026-01-01T00:00:00.000000Z","local_only":false,
    "notification_priority":"PRIORITY_HIGH","default_sound":true,"default_vibrate_timings":true,
    "default_light_settings":false,"vibrate_timings":["0.500000000s","1s"],"visibility":"PUBLIC",
    "notification_count":2,"image":"i","proxy":"ALLOW",
    "light_settings":{"color":{"red":1,"green":0.5,"blue":0,"alpha":1},
    "light_on_duration":"1s","light_off_duration":"2s"}}},
    "webpush":{"headers":{"TTL":"86400"},"data":{"e":"f"},
    "notification":{"title":"t","actions":[{"action":"a","title":"t"}]},
    "fcm_options":{"link":"https://x.example","analytics_label":"w"}},
    "apns":{"headers":{"apns-priority":"10","apns-collapse-id":"c"},"live_activity_token":"l",
    "payload":{"aps":{"alert":{"title":"t"},"badge":1,"sound":{"name":"s","volume":0.5}},"x":{"y":1}},
    "fcm_options":{"analytics_label":"i","image":"https://x.example"}}}}
    """

  @Test func `every member of a message is accepted in either spelling`() async throws {
    let bearer = try await bearer()
    let answer = try await push(Self.everything, bearer: bearer)
    #expect(answer.status == 200, Comment(rawValue: String(decoding: answer.body, as: UTF8.self)))
    let camel = #"""
      {"message":{"token":"t","data":null,"fcmOptions":{"analyticsLabel":"x"},
      "android":{"collapseKey":"c","priority":"NORMAL","notification":{"notificationCount":1}}}}
      """#
    #expect(try await push(camel, bearer: bearer).status == 200)
    #expect(try await inbox().map { $0["token"] } == [.string("phone:1_a-b"), .string("t")])
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var body: String
    var field: String?
    var message: String
    var testDescription: String { body }

    /// - Parameter message: the fields of the message, as JSON.
    init(_ message: String, _ field: String?, _ complaint: String) {
      self.init(body: #"{"message":{\#(message)}}"#, field: field, message: complaint)
    }

    init(body: String, field: String?, message: String) {
      (self.body, self.field, self.message) = (body, field, message)
    }
  }

  private static let topics = (1...6).map { "'t\($0)' in topics" }

  static let refusals: [Refusal] = [
    Refusal(
      #""token":"t","notification":{"title":"x","sound":"default"}"#,
      "message.notification",
      #"Invalid JSON payload received. Unknown name "sound" at 'message.notification': Cannot find field."#
    ),
    Refusal(
      body: #"{"token":"t"}"#,
      field: nil,
      message: #"Invalid JSON payload received. Unknown name "token": Cannot find field."#
    ),
    Refusal(body: "{}", field: "message", message: "The message is not set."),
    Refusal(
      #""token":"t","data":{"a":"x","unread":12}"#,
      "message.data[1].value",
      "Invalid value at 'message.data[1].value' (TYPE_STRING), 12"
    ),
    Refusal(
      #""token":"t","android":{"priority":"urgent"}"#,
      "message.android.priority",
      "Invalid value at 'message.android.priority' "
        + #"(type.googleapis.com/google.firebase.fcm.v1.AndroidConfig.AndroidMessagePriority), "urgent""#
    ),
    Refusal(
      #""token":"t","android":{"ttl":"60"}"#,
      "message.android.ttl",
      #"Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), "60""#
    ),
    Refusal(
      #""token":"t","android":{"notification":{"sticky":"yes"}}"#,
      "message.android.notification.sticky",
      #"Invalid value at 'message.android.notification.sticky' (TYPE_BOOL), "yes""#
    ),
    Refusal(
      #""token":"t","android":{"notification":{"notification_count":1.5}}"#,
      "message.android.notification.notification_count",
      "Invalid value at 'message.android.notification.notification_count' (TYPE_INT32), 1.5"
    ),
    Refusal(
      #""token":"t","webpush":{"link":"x"}"#,
      "message.webpush",
      #"Invalid JSON payload received. Unknown name "link" at 'message.webpush': Cannot find field."#
    ),
    Refusal(
      #""token":"t","data":{"from":"x"}"#,
      "message.data",
      "Invalid data payload key: from"
    ),
    Refusal(
      #""token":"t","data":{"google.x":"x"}"#,
      "message.data",
      "Invalid data payload key: google.x"
    ),
    Refusal(
      #""token":"t","android":{"data":{"message_type":"x"}}"#,
      "message.android.data",
      "Invalid data payload key: message_type"
    ),
    Refusal(
      #""token":"t","android":{"ttl":"2419201s"}"#,
      "message.android.ttl",
      "Invalid ttl: not a duration from 0 to 2419200 seconds"
    ),
    Refusal(
      #""token":"t","android":{"notification":{"color":"red"}}"#,
      "message.android.notification.color",
      "Invalid color: not in the form #rrggbb"
    ),
    Refusal(
      #""token":"t","android":{"notification":{"title_loc_args":["x"]}}"#,
      "message.android.notification.title_loc_args",
      "title_loc_args is set without title_loc_key"
    ),
    Refusal(
      #""token":"t","apns":{"payload":{"badge":1}}"#,
      "message.apns.payload",
      "apns.payload must contain an aps dictionary"
    ),
    Refusal(
      #""token":"t","apns":{"headers":{"apns-collapse-id":"\#(String(repeating: "x", count: 65))"}}"#,
      "message.apns.headers",
      "apns-collapse-id is longer than 64 bytes"
    ),
    Refusal(
      #""token":"t","apns":{"headers":{"apns-priority":"high"}}"#,
      "message.apns.headers",
      "apns-priority is not 1, 5 or 10"
    ),
    Refusal(
      #""token":"t","fcm_options":{"analytics_label":"two words"}"#,
      "message.fcm_options.analytics_label",
      "Invalid analytics label: not of the form ^[a-zA-Z0-9-_.~%]{1,50}$"
    ),
    Refusal(
      #""token":"t","apns":{"fcm_options":{"analytics_label":""}}"#,
      "message.apns.fcm_options.analytics_label",
      "Invalid analytics label: not of the form ^[a-zA-Z0-9-_.~%]{1,50}$"
    ),
    Refusal(
      #""notification":{"title":"x"}"#,
      "message",
      "Recipient of the message is not set: set exactly one of token, fid, topic, condition."
    ),
    Refusal(
      #""token":"t","topic":"x""#,
      "message",
      "Recipient of the message is not set: set exactly one of token, fid, topic, condition."
    ),
    Refusal(
      #""token":"not a token""#,
      nil,
      "The registration token is not a valid FCM registration token"
    ),
    Refusal(
      #""token":"""#,
      nil,
      "The registration token is not a valid FCM registration token"
    ),
    Refusal(#""topic":"a b""#, "message.topic", "Malformed topic name"),
    Refusal(
      #""condition":"'a' in topics &&""#,
      "message.condition",
      "Invalid condition expression provided."
    ),
    Refusal(
      #""condition":"\#(topics.joined(separator: " || "))""#,
      "message.condition",
      "Invalid condition expression provided."
    ),
    Refusal(
      #""token":"t","notification":{"body":"\#(String(repeating: "x", count: 4_093))"}"#,
      nil,
      "Android message is too big"
    ),
    Refusal(
      #""topic":"t","data":{"a":"\#(String(repeating: "x", count: 2_048))"}"#,
      nil,
      "Android message is too big"
    ),
    Refusal(
      #""token":"t","apns":{"payload":{"aps":{"alert":"\#(String(repeating: "x", count: 4_090))"}}}"#,
      nil,
      "APNs message is too big"
    ),
  ]

  @Test(arguments: refusals)
  func `an invalid message is refused with FCM's error`(refusal: Refusal) async throws {
    let answer = try await push(refusal.body, bearer: bearer())
    #expect(answer.status == 400)
    let error = try #require(answer.json?["error"])
    #expect(error["status"] == .string("INVALID_ARGUMENT"))
    #expect(error["message"] == .string(refusal.message))
    let details = try #require(error["details"]?.array)
    #expect(details.last?["errorCode"] == .string("INVALID_ARGUMENT"))
    let field = details.first?["fieldViolations"]?.array?.first?["field"]?.string
    #expect(field == refusal.field)
    #expect(try await inbox() == [])
  }

  @Test func `an error names every unknown field`() async throws {
    let answer = try await push(
      #"{"message":{"token":"t","badge":1,"apns":{"aps":{}}}}"#,
      bearer: bearer()
    )
    let fields = answer.json?.at("error.details.0.fieldViolations")?.array ?? []
    #expect(fields.map { $0["field"] } == [.string("message.apns"), .string("message")])
  }

  @Test func `a payload of 4,096 bytes is accepted`() async throws {
    let body = String(repeating: "x", count: 4_092)
    let answer = try await push(
      #"{"message":{"token":"t","notification":{"body":"\#(body)"}}}"#,
      bearer: bearer()
    )
    #expect(answer.status == 200)
  }

  @Test func `a message is sent to a topic and to a condition`() async throws {
    let bearer = try await bearer()
    let condition = "'a' in topics && ('b' in topics || !('c%20d' in topics))"
    for target in [
      #""topic":"news""#, #""condition":"\#(condition)""#, #""fid":"an-installation""#,
    ] {
      let answer = try await push(#"{"message":{\#(target)}}"#, bearer: bearer)
      #expect(answer.status == 200)
      #expect(answer.json?["name"]?.string?.hasPrefix("projects/demo-p/messages/") == true)
    }
    let inbox = try await inbox()
    #expect(inbox[0]["topic"] == .string("news"))
    #expect(inbox[1]["condition"] == .string(condition))
    #expect(inbox[2]["token"] == .string("an-installation"))
    let newest = try await send("GET", "/fcm/inbox?limit=2").json?["messages"]?.array
    #expect(newest == Array(inbox.suffix(2)))
  }

  @Test(arguments: ["validate_only", "validateOnly"])
  func `a message that is only validated is not delivered`(name: String) async throws {
    let bearer = try await bearer()
    let answer = try await push(#"{"\#(name)":true,"message":{"token":"t"}}"#, bearer: bearer)
    #expect(answer.json?["name"] == .string("projects/demo-p/messages/fake_message_id"))
    #expect(try await inbox() == [])
    _ = try await send("DELETE", "/fcm/devices/t")
    let gone = try await push(#"{"\#(name)":true,"message":{"token":"t"}}"#, bearer: bearer)
    #expect(gone.status == 404)
  }

  // MARK: Devices

  @Test func `every token is valid until one is registered, then only registered ones are`()
    async throws
  {
    let bearer = try await bearer()
    func status(_ token: String) async throws -> Int {
      try await push(#"{"message":{"token":"\#(token)"}}"#, bearer: bearer).status
    }
    #expect(try await status("a") == 200)
    let registered = try await send("POST", "/fcm/devices", body: #"{"tokens":["b","c"]}"#)
    #expect(
      registered.json
        == (try json(#"{"strict":true,"registered":["b","c"],"unregistered":[]}"#))
    )
    #expect(try await status("b") == 200)
    let unknown = try await push(#"{"message":{"token":"a"}}"#, bearer: bearer)
    #expect(unknown.status == 404)
    #expect(unknown.json?.at("error.details.0.errorCode") == .string("UNREGISTERED"))

    _ = try await send("DELETE", "/fcm/devices/b")
    #expect(try await status("b") == 404)
    #expect(try await status("c") == 200)
    #expect(
      try await send("GET", "/fcm/devices").json
        == (try json(#"{"strict":true,"registered":["c"],"unregistered":["b"]}"#))
    )
    _ = try await send("POST", "/fcm/devices", body: #"{"token":"b"}"#)
    #expect(try await status("b") == 200)
    _ = try await send("DELETE", "/fcm/devices")
    #expect(try await status("a") == 200)
    for body in ["{}", #"{"tokens":[]}"#, #"{"device":"x"}"#, "x"] {
      await #expect(throws: (any Error).self) { try await send("POST", "/fcm/devices", body: body) }
    }
  }
}
