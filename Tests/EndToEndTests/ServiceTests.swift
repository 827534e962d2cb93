import Core
import FunctionHost
import HTTPClient
import TestKit
import Testing

/// The checks that all ports share: `Host`, `Origin`, and limits.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct RequestGuardTests {
  static let services = ["firestore", "auth", "functions", "ui", "hub"]

  @Test(
    arguments: services,
    [
      "evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::1]evil.example",
      "[::1].evil.example:80", "",
    ]
  )
  func `a foreign Host is refused on every port`(service: String, host: String) async throws {
    let port = try #require(try sharedEmulator().ports[service])
    let connection = try RawConnection(port: port)
    connection.send("GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
    let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 403"))
  }

  @Test(
    arguments: services,
    ["https://evil.example", "null", "http://localhost.evil.example:4000"]
  )
  func `a foreign Origin is refused on every port`(service: String, origin: String) async throws {
    for method in ["GET", "OPTIONS", "POST"] {
      let answer = try await sharedEmulator().request(
        method,
        service,
        "/",
        headers: [HTTPHeader("Origin", origin)]
      )
      #expect(answer.status == 403)
      #expect(answer.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test func `the terminal names what is wrong with an app's requests, once`() async throws {
    try await withEmulatorShell { shell in
      let result = try await shell.exec(
        script: """
          url="http://$FIRESTORE_EMULATOR_HOST/v1/projects/demo-other/databases/(default)/documents/a/b"
          for _ in 1 2 3; do
            curl -sS "$url" -H 'Origin: https://dev.example'
            curl -sS "$url" -H "Authorization: Bearer $("$EMULATOR" token --uid sarah)"
          done
          """,
        environment: ["EMULATOR": Products.path(of: "emulator")]
      )
      for text in [
        #"Origin "https://dev.example" is not allowed: start the emulator with --allow-origin and"#,
        #"the user's token is for project "\#(shell.project)", and the database is in project "#
          + #""demo-other": the app's projectId must be the emulator's project"#,
      ] {
        #expect(result.errorText.components(separatedBy: text).count == 2, "\(result.errorText)")
      }
      #expect(result.text.components(separatedBy: "PERMISSION_DENIED").count == 7)
    }
  }

  @Test(arguments: services, ["image", "empty", "iframe"])
  func `another site's page can't load anything, even without an Origin header`(
    service: String,
    destination: String
  ) async throws {
    func status(site: String, destination: String) async throws -> Int {
      let headers = [
        HTTPHeader("Sec-Fetch-Site", site), HTTPHeader("Sec-Fetch-Dest", destination),
      ]
      return try await sharedEmulator().request("GET", service, "/", headers: headers).status
    }
    #expect(try await status(site: "cross-site", destination: destination) == 403)
    #expect(try await status(site: "same-origin", destination: destination) == 200)
    // A user may follow a link from another site to the emulator.
    #expect(try await status(site: "cross-site", destination: "document") == 200)
  }

  @Test(arguments: services, ["http://localhost:5173", "http://127.0.0.1", "http://[::1]:3000"])
  func `a local page may send a preflight and then the request`(service: String, origin: String)
    async throws
  {
    let preflight = try await sharedEmulator().request(
      "OPTIONS",
      service,
      "/anything",
      headers: [
        HTTPHeader("Origin", origin), HTTPHeader("Access-Control-Request-Method", "POST"),
        HTTPHeader("Access-Control-Request-Headers", "authorization,content-type"),
      ]
    )
    #expect(preflight.status == 200)
    #expect(preflight.headers["access-control-allow-origin"] == origin)
    #expect(preflight.headers["access-control-allow-methods"]?.contains("POST") == true)
    #expect(preflight.headers["access-control-allow-headers"] == "authorization,content-type")
    let answer = try await sharedEmulator().request(
      "GET",
      service,
      "/",
      headers: [HTTPHeader("Origin", origin)]
    )
    #expect(answer.status == 200)
    #expect(answer.headers["access-control-allow-origin"] == origin)
  }

  @Test(arguments: services)
  func `a body over the limit is refused on every port`(service: String) async throws {
    let answer = try await sharedEmulator().request(
      "POST",
      service,
      "/events",
      headers: [HTTPHeader("Expect", "")],
      body: Data(count: (11 << 20) + 1)
    )
    #expect(answer.status == 413)
    #expect(answer.message?.contains("larger than 11 MiB") == true)
  }

  @Test func `an allowed origin is accepted, and no other origin of its host`() async throws {
    let own = "https://dev.example:3000"
    try await withEmulator("--allow-origin", own) { emulator in
      for (origin, status) in [
        (own, 200), ("HTTPS://dev.example:3000", 200), ("https://dev.example", 403),
        ("http://dev.example:3000", 403),
      ] {
        let answer = try await emulator.request(
          "GET",
          "ui",
          "/api/status",
          headers: [HTTPHeader("Origin", origin)]
        )
        #expect(answer.status == status)
        #expect(answer.headers["access-control-allow-origin"] == (status == 200 ? origin : nil))
      }
    }
  }

  @Test(arguments: ["dev.example", "https://", "https://dev.example/", "ftp://dev.example"])
  func `an origin that no browser sends is refused at the start`(origin: String) async throws {
    let run = try await runProgram("emulator", ["start", "--allow-origin", origin])
    #expect(run.exitCode == 64)
    #expect(run.errorText.contains("--allow-origin"))
  }

  @Test func `an allowed host is accepted`() async throws {
    try await withEmulator("--allow-host", "phone.example") { emulator in
      let answer = try await emulator.request(
        "GET",
        "ui",
        "/",
        headers: [HTTPHeader("Host", "phone.example:4000")]
      )
      #expect(answer.status == 200)
    }
  }
}

/// The hub and the API of the pages.
@Suite(.timeLimit(.minutes(10)))
struct HubTests {
  @Test func `the hub publishes the services' addresses in a file and over HTTP`() async throws {
    try await withEmulator { emulator in
      let path = "\(emulator.temporaryDirectory)/hub-\(emulator.project).json"
      let file = try JSONValue(parsing: Data(contentsOf: URL(filePath: path)))
      let root = try await emulator.request("GET", "hub", "/").json
      #expect(file == root)
      #expect(root["origins"] == .array([.string("http://\(emulator.address("hub"))")]))
      #expect(root["pid"] == .integer(Int64(emulator.process.processIdentifier)))

      let services = try await emulator.request("GET", "hub", "/emulators").json
      #expect(
        services.object?.keys.sorted() == [
          "auth", "database", "firestore", "functions", "hub", "storage", "ui",
        ]
      )
      for (name, port) in emulator.ports {
        #expect(services.at("\(name).port") == .integer(Int64(port)))
        #expect(services.at("\(name).listen.0.address") == .string("127.0.0.1"))
      }
      for path in ["export", "import"] {
        let answer = try await emulator.request("POST", "hub", "/_admin/\(path)", json: "{}")
        #expect((answer.status, answer.code) == (400, "INVALID_ARGUMENT"))
        let page = try await emulator.request(
          "POST",
          "hub",
          "/_admin/\(path)",
          headers: [HTTPHeader("Origin", "http://localhost:3000")],
          json: #"{"path":"x"}"#
        )
        #expect((page.status, page.code) == (403, "PERMISSION_DENIED"))
      }
      #expect(try await emulator.request("GET", "hub", "/nowhere").status == 404)
    }
  }

  @Test func `triggers are switched off and on`() async throws {
    try await withEmulator { emulator in
      let off = try await emulator.request("PUT", "hub", "/functions/disableBackgroundTriggers")
      #expect(off.json == .object(["enabled": .boolean(false)]))
      try await emulator.write(#"{"conversations/c/messages/m1":{"text":"x"}}"#)
      let on = try await emulator.request("PUT", "hub", "/functions/enableBackgroundTriggers")
      #expect(on.json == .object(["enabled": .boolean(true)]))
      try await emulator.write(#"{"conversations/c/messages/m2":{"text":"x"}}"#)
      try await emulator.quiet()
      let documents = Set(try await emulator.deliveries().map { $0["document"]?.string })
      #expect(documents == ["conversations/c/messages/m2"])
    }
  }

  @Test func `past events can be looked up`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(
        #"{"conversations/c/messages/m1":{"text":"x","senderId":"a"},"conversations/c":{"participants":7}}"#
      )
      try await emulator.quiet()
      let all = try await emulator.deliveries("?state=deadLettered")
      #expect(all.count == 3)
      let succeeded = try await emulator.deliveries("?state=succeeded")
      #expect(succeeded.map { $0["function"] } == [.string("mirrorMembership")])
      let newest = try await emulator.deliveries().suffix(1)
      #expect(try await emulator.deliveries("?limit=1") == Array(newest))
      #expect(try await emulator.request("GET", "ui", "/api/events?state=x").status == 400)
      #expect(try await emulator.request("GET", "ui", "/api/events?limit=x").status == 400)

      let delivery = try #require(all.first)
      #expect(delivery["exitCode"] == .integer(65))
      #expect(delivery.at("error.code") == .string("FAILED_PRECONDITION"))
      let id = try #require(delivery["eventId"]?.string)
      let event = try await emulator.request("GET", "ui", "/api/events/\(id)").json
      try Schema.event.check(event["event"] ?? .null)
      #expect(event.at("event.id") == .string(id))
      #expect(event["deliveries"]?.array?.count == 3)
      let logs = try await emulator.request("GET", "ui", "/api/logs?eventId=\(id)").json
      #expect(logs.array?.isEmpty == false)
      #expect(logs.array?.allSatisfy { $0["eventId"] == .string(id) } == true)
      #expect(try await emulator.request("GET", "ui", "/api/events/none").status == 404)

      let functions = try await emulator.request("GET", "ui", "/api/functions").json
      for manifest in functions.array ?? [] { try Schema.manifest.check(manifest) }
      #expect(
        functions.array?.compactMap { $0["name"]?.string } == Products.functions.sorted()
      )
    }
  }
}

/// The route `POST /events`.
@Suite(.timeLimit(.minutes(10)))
struct FunctionsServiceEventTests {
  private func event(
    _ type: String = "created",
    _ path: String = "conversations/c/messages/m",
    project: String
  ) async throws -> String {
    try await runProgram("emulator", ["generate-event", type, path, "--project", project]).text
  }

  @Test func `a structured event is recorded, and the caller may wait for it`() async throws {
    try await withEmulator { emulator in
      let event = try await event(project: emulator.project)
      let accepted = try await emulator.post(event: event)
      #expect(accepted.status == 202)
      #expect(accepted.json["deliveries"]?.array?.count == 3)
      let waited = try await emulator.post(event: event, query: "?wait=true")
      #expect(waited.status == 200)
      #expect(waited.json["eventId"] == (try json(event))["id"])
      for delivery in waited.json["deliveries"]?.array ?? [] {
        #expect(delivery["reason"] == .string("the message no longer exists"))
        try Schema.result.check(delivery["output"] ?? .null)
      }
    }
  }

  @Test func `a binary event is accepted too`() async throws {
    try await withEmulator { emulator in
      let event = try json(try await event(project: emulator.project))
      var headers = [HTTPHeader("Content-Type", "application/json; charset=utf-8")]
      for (name, value) in event.object ?? [:] where name != "data" && name != "datacontenttype" {
        let value = (value.string ?? "").replacing("%", with: "%25").replacing(" ", with: "%20")
        headers.append(HTTPHeader("ce-\(name)", value))
      }
      let answer = try await emulator.post(
        event: (event["data"] ?? .null).text,
        query: "?wait=true",
        headers: headers
      )
      #expect(answer.status == 200, Comment(rawValue: answer.text))
      #expect(answer.json["eventId"] == event["id"])
      #expect(answer.json["deliveries"]?.array?.count == 3)
    }
  }

  @Test func `an event that no function takes is refused`() async throws {
    try await withEmulator { emulator in
      let pubsub = #"{"specversion":"1.0","id":"1","source":"s","type":"other","data":{}}"#
      let elsewhere = try await event("created", "presence/sarah", project: emulator.project)
      for body in [pubsub, elsewhere] {
        let answer = try await emulator.post(event: body)
        #expect((answer.status, answer.code) == (404, "NOT_FOUND"))
      }
    }
  }

  @Test func `an invalid event is refused`() async throws {
    try await withEmulator { emulator in
      let binary = [
        HTTPHeader("ce-specversion", "1.0"), HTTPHeader("ce-id", "1"),
        HTTPHeader("ce-source", "s"),
        HTTPHeader("ce-type", "google.cloud.firestore.document.v1.created"),
      ]
      let type = { (name: String) in [HTTPHeader("Content-Type", name)] }
      let cases: [([HTTPHeader], String, Int)] = [
        (structuredEvent, "", 400), (structuredEvent, "{", 400), (structuredEvent, "[]", 400),
        (structuredEvent, #"{"text":"x"}"#, 400), (structuredEvent, #"{"data":{}}"#, 400),
        (structuredEvent, #"{"specversion":"1.0"}"#, 400),
        (type("application/cloudevents-batch+json"), "[]", 415),
        (binary + type("application/json"), "{", 400),
        (binary + type("application/json"), "{}", 400),
        (binary + type("application/protobuf"), "x", 400),
        (binary + type("text/plain"), "x", 415),
        (binary + [HTTPHeader("ce-time", "%zz")] + type("application/json"), "{}", 400),
      ]
      for (headers, body, status) in cases {
        let answer = try await emulator.post(event: body, headers: headers)
        #expect(answer.status == status, Comment(rawValue: "\(body) \(answer.text)"))
        #expect(answer.message?.isEmpty == false)
      }
      #expect(try await emulator.deliveries() == [])
    }
  }
}

private let structuredEvent = [HTTPHeader("Content-Type", "application/cloudevents+json")]

extension EmulatorProcess {
  /// Posts an event to the functions' port.
  ///
  /// - Parameter headers: the header fields. The default ones are for an event as one JSON object.
  fileprivate func post(
    event: String,
    query: String = "",
    headers: [HTTPHeader] = structuredEvent
  ) async throws -> Answer {
    try await request(
      "POST",
      "functions",
      "/events\(query)",
      headers: headers,
      body: Data(event.utf8)
    )
  }
}

/// The provider fakes' checks of requests.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ProviderFakeTests {
  private let key = HTTPHeader("X-goog-api-key", "emulator-translation-key")

  private func translate(
    _ body: String,
    headers: [HTTPHeader],
    query: String = ""
  ) async throws -> EmulatorProcess.Answer {
    try await sharedEmulator().request(
      "POST",
      "functions",
      "/providers/language/translate/v2\(query)",
      headers: headers,
      json: body
    )
  }

  @Test func `Translation escapes HTML unless the format is text`() async throws {
    let body = #"{"q":"I'm on my way & <b>","source":"en","target":"it""#
    let html = try await translate(body + "}", headers: [key])
    let translation = html.json.at("data.translations.0.translatedText")?.string
    #expect(translation == "⟦it⟧ I&#39;m on my way &amp; &lt;b&gt;")
    let text = try await translate(body + #","format":"text"}"#, headers: [key])
    #expect(
      text.json.at("data.translations.0.translatedText")?.string == "⟦it⟧ I'm on my way & <b>"
    )
    #expect(text.json.at("data.translations.0.model") == .string("pseudo"))
  }

  @Test func `Translation requires its key`() async throws {
    let body = #"{"q":"Hi!","target":"it"}"#
    let wrong = try await translate(body, headers: [HTTPHeader("X-goog-api-key", "wrong")])
    #expect(wrong.status == 400)
    #expect(wrong.json.at("error.details.0.reason") == .string("API_KEY_INVALID"))
    #expect(try await translate(body, headers: []).status == 403)
    let query = try await translate(body, headers: [], query: "?key=emulator-translation-key")
    #expect(query.json.at("data.translations.0.detectedSourceLanguage") == .string("en"))
  }

  @Test(arguments: [
    #"{"q":"x","source":"en","target":"xxxx"}"#, #"{"q":"x","source":"it","target":"it"}"#,
    #"{"target":"it"}"#, #"{"q":7,"target":"it"}"#,
  ])
  func `Translation refuses what Google refuses`(body: String) async throws {
    #expect(try await translate(body, headers: [key]).status == 400)
  }

  @Test(arguments: [
    "grant_type=password", "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer",
    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
      + "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIiwic2NvcGUiOiJzIiwiYXVkIjoiYSIsImlhdCI6MSwiZXhwIjoyfQ.AAAA",
  ])
  func `OAuth takes only signed assertions`(form: String) async throws {
    let answer = try await sharedEmulator().request(
      "POST",
      "functions",
      "/providers/token",
      headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
      body: Data(form.utf8)
    )
    #expect(answer.status == 400)
    #expect(answer.json["error"]?.string != nil)
    #expect(answer.json["access_token"] == nil)
  }

  @Test func `FCM requires an access token`() async throws {
    for token in ["Bearer emulator.made-up", "Basic x"] {
      let answer = try await sharedEmulator().request(
        "POST",
        "functions",
        "/providers/v1/projects/demo/messages:send",
        headers: [HTTPHeader("Authorization", token)],
        json: #"{"message":{"token":"t"}}"#
      )
      #expect((answer.status, answer.code) == (401, "UNAUTHENTICATED"))
    }
  }

  @Test func `FCM refuses an unknown field`() async throws {
    let emulator = try sharedEmulator()
    let environment = try emulator.environment()
    let account = try #require(environment["GOOGLE_APPLICATION_CREDENTIALS"])
    // The script signs an assertion with `openssl`, as a client with the key file does.
    let script = #"""
      set -eu
      encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
      sed 's/.*"private_key":"\([^"]*\)".*/\1/; s/\\n/\n/g' "$1" >"$2"
      now=$(date +%s)
      signed=$(printf '{"alg":"RS256"}' | encode).$(printf '{"iss":"a","scope":"%s","aud":"%s","iat":%d,"exp":%d}' "$3" "$4" "$now" $((now + 600)) | encode)
      echo "$signed.$(printf %s "$signed" | openssl dgst -sha256 -sign "$2" | encode)"
      """#
    let assertion = try await withTemporaryFolder { folder in
      try await runProgram(
        "/bin/sh",
        [
          "-c", script, "sh", account, "\(folder)/key.pem",
          "https://www.googleapis.com/auth/firebase.messaging",
          "https://oauth2.googleapis.com/token",
        ]
      )
    }
    let grant = try await emulator.request(
      "POST",
      "functions",
      "/providers/token",
      headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
      body: Data(
        "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=\(assertion.text.trimmingLineFeed)"
          .utf8
      )
    )
    let token = try #require(
      grant.json["access_token"]?.string,
      Comment(rawValue: grant.text + assertion.errorText)
    )
    func send(_ body: String) async throws -> EmulatorProcess.Answer {
      try await emulator.request(
        "POST",
        "functions",
        "/providers/v1/projects/demo-fields/messages:send",
        headers: [HTTPHeader("Authorization", "Bearer \(token)")],
        json: body
      )
    }
    #expect(
      try await send(#"{"message":{"token":"t","notification":{"title":"x"}}}"#).status == 200
    )
    for body in [
      #"{"message":{"token":"t","notification":{"title":"x","sound":"default"}}}"#,
      #"{"message":{"token":"t","data":{"unread":1}}}"#, #"{"token":"t"}"#,
      #"{"message":{"token":"t","topic":"x"}}"#,
    ] {
      let answer = try await send(body)
      #expect((answer.status, answer.code) == (400, "INVALID_ARGUMENT"))
      let details = answer.json.at("error.details")?.array
      #expect(details?.last?["errorCode"] == .string("INVALID_ARGUMENT"))
    }
    #expect(try await emulator.pushes(project: "demo-fields").count == 1)
    _ = try await emulator.request("DELETE", "functions", "/providers/fcm/devices/t")
    let gone = try await send(#"{"message":{"token":"t"}}"#)
    #expect(gone.status == 404)
    #expect(gone.json.at("error.details.0.errorCode") == .string("UNREGISTERED"))
  }
}
